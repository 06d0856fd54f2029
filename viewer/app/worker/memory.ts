// SPDX-License-Identifier: MIT
// The core's memory: what goes in and what comes out. Its buffer is another one after it has grown, so views of it
// are made anew for each use.

import { drop } from '../container.ts';
import type { Bytes } from '../source.ts';

/** What viewer/core exports, by name. */
export type Exports = Record<string, (...args: number[]) => number>;

let memory: WebAssembly.Memory | null = null;
let exports: Exports = {};

export const load = async (bytes: Bytes): Promise<void> => {
	const e = (await WebAssembly.instantiate(bytes, {})).instance.exports as Record<string, unknown>;
	memory = e['memory'] as WebAssembly.Memory;
	exports = e as Exports;
};

export const call = (name: string, ...args: number[]): number => {
	const f = exports[name];
	if (!f) throw new Error(`the core has no ${name}`);
	return f(...args);
};

export const buffer = (): ArrayBuffer => {
	if (!memory) throw new Error('the core is not there yet');
	return memory.buffer;
};

/** A copy of bytes in the core; who calls frees it, or what is called does. */
export const put = (data: Uint8Array): number => {
	const at = call('core_alloc', data.length);
	if (at === 0) throw new Error('there is not enough memory for this');
	new Uint8Array(buffer()).set(data, at);
	return at;
};

/** The same of bytes that are not needed afterwards. */
export const move = (data: Bytes): number => {
	const at = put(data);
	drop(data);
	return at;
};

export const free = (at: number): void => { if (at !== 0) call('core_free', at); };

export const copy = (at: number, n: number): ArrayBuffer => buffer().slice(at, at + n);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const text = (at: number, n: number): string => decoder.decode(new Uint8Array(buffer(), at, n));

/** Calls with texts as C has them: each ends with a 0. */
export const withTexts = <T>(texts: string[], f: (...at: number[]) => T): T => {
	const at = texts.map((t) => put(encoder.encode(`${t}\0`)));
	try { return f(...at); } finally { at.forEach(free); }
};
