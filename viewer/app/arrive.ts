// SPDX-License-Identifier: MIT
// The first script of the page: takes pieces of the container out of it as they arrive (source.ts), and unpacks the
// style, the main script and the core, in workers that run this script, too. The policy names style and script by their
// hashes, packed or not.
import type { Bytes } from './source.ts';

/** Of base64. */
const bytesOf = (text: string): Bytes => {
	const from = (Uint8Array as unknown as { fromBase64?: (t: string) => Bytes }).fromBase64;
	return from ? from.call(Uint8Array, text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
};

/** viewer/unpack.c, which build.mjs puts here. */
declare const UNPACK: string;
interface Packed { text: string; n: number; is_code: boolean }
const unpack = async ({ text, n, is_code }: Packed): Promise<Bytes> => {
	const { instance } = await WebAssembly.instantiate(bytesOf(UNPACK));
	const { memory, packed_bytes, plain_bytes, begin, transfer } = instance.exports as unknown as
		{ memory: WebAssembly.Memory; packed_bytes(): number; plain_bytes(): number; begin(is_code: boolean): void; transfer(n: number): void };
	new Uint8Array(memory.buffer).set(bytesOf(text), packed_bytes());
	begin(is_code);
	// a little at a time: what the engine makes of it gets better from call to call
	for (let done = 0; done < n; transfer(done)) done = Math.min(done + 64, n);
	return new Uint8Array(memory.buffer).slice(plain_bytes(), plain_bytes() + n);
};

let has_begun = false, begin = (): void => undefined;
const begun = new Promise<void>((done) => { begin = done; });
/** All that is drawn first has arrived. */
const F = (): void => {
	has_begun = true;
	begin();
};

/** Pieces that wait for the first picture: to take one costs more than to read past it. */
const later: HTMLElement[] = [];
const take = (data: HTMLElement): void => {
	let bytes: Uint8Array<ArrayBuffer>;
	try {
		bytes = bytesOf(data.textContent ?? '');
	} catch {
		bytes = new Uint8Array(0); // what needs it will say that it is not there
	}
	const last = window.winnow.pieces.at(-1);
	const at = data.dataset['at'] === undefined ? (last ? last.at + last.n : 0) : Number(data.dataset['at']);
	// what is drawn first stays; the rest goes to the browser's own process, which keeps it on disk where it is much
	window.winnow.pieces.push({ at, n: bytes.length, bytes: has_begun ? new Blob([bytes]) : bytes });
	if (has_begun) (bytes.buffer as { transfer?: (n: number) => unknown }).transfer?.(0);
	data.remove();
};
let is_patient = true, has_hurried = false;
/** One piece at a time, so that the page answers meanwhile. */
const next = (): void => {
	const data = later.shift();
	is_patient = data !== undefined;
	if (data) { take(data); setTimeout(next); }
	window.winnow.more?.();
};
const hurry = (): void => { if (!has_hurried) { has_hurried = true; next(); } };
const K = (): void => {
	const script = document.currentScript, data = script?.previousElementSibling;
	if (!(data instanceof HTMLElement)) return;
	script?.remove();
	if (has_begun && is_patient) { later.push(data); return; }
	take(data);
	window.winnow.more?.();
};
/** Style and script take their places, and the worker that the script will call begins to read the same script. */
const put = (bytes: Uint8Array<ArrayBuffer>, n_style: number): void => {
	const style = bytes.subarray(0, n_style), script = bytes.subarray(n_style);
	const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
	let early: Worker | null = new Worker(url);
	window.winnow.worker = () => { const worker = early ?? new Worker(url); early = null; return worker; };
	const add = (kind: string, part: Uint8Array<ArrayBuffer>): void => {
		const element = document.createElement(kind);
		element.textContent = new TextDecoder().decode(part);
		document.head.append(element);
	};
	add('style', style);
	// the worker does not begin before this thread has had time for it
	setTimeout(() => void begun.then(() => add('script', script)));
};
/** Unpacks in two workers, while what the page already says is painted and the rest of it arrives. */
const M = (): void => {
	const packed = document.getElementById('packed');
	const texts = (packed?.textContent ?? '').split(' '), [n_style = 0, n_script = 0, n_core = 0] = (packed?.dataset['bytes'] ?? '').split(' ').map(Number);
	packed?.remove();
	const url = URL.createObjectURL(new Blob([own], { type: 'text/javascript' }));
	const unpacked = (k: number, n: number): Promise<Bytes> => new Promise((done, fail) => {
		const worker = new Worker(url), what: Packed = { text: texts[k] ?? '', n, is_code: k > 0 };
		const take = (part: Bytes): void => { worker.terminate(); done(part); };
		worker.onmessage = (e: MessageEvent<Bytes>) => take(e.data);
		worker.onerror = () => void unpack(what).then(take, fail);
		worker.postMessage(what);
	});
	void unpacked(0, n_style + n_script).then((part) => put(part, n_style), () => document.body.prepend('This browser cannot run the page: it lacks WebAssembly, or memory for it.'));
	window.winnow.core = unpacked(1, n_core);
};
const own = globalThis.document?.currentScript?.textContent ?? '';
if (own) {
	window.winnow = { pieces: [], later, hurry } as unknown as typeof window.winnow;
	Object.assign(window, { F, K, M });
} else onmessage = ({ data }: MessageEvent<Packed>) => void unpack(data).then((part) => postMessage(part, { transfer: [part.buffer] }), (e) => setTimeout(() => { throw e; })); // reaches onerror
