// SPDX-License-Identifier: MIT
// Bytes of the container, which the page has: the worker asks, the page answers.
import type { Bytes, ChunkSource } from '../source.ts';

interface Reply {
	reply: number;
	bytes?: Bytes;
	error?: string;
}

const waiting = new Map<number, { done: (b: Bytes) => void; fail: (e: Error) => void }>();
let last = 0;

export const asking: ChunkSource = {
	name: 'the page',
	size: null,
	read: (at, n) => new Promise((done, fail) => {
		const id = ++last;
		waiting.set(id, { done, fail });
		postMessage({ id, read: { at, n } });
	}),
};

export const answered = (r: Reply): void => {
	const w = waiting.get(r.reply);
	waiting.delete(r.reply);
	if (r.bytes) w?.done(r.bytes);
	else w?.fail(new Error(r.error ?? 'the bytes are not there'));
};
