// SPDX-License-Identifier: MIT
// The first script of the page: takes pieces of the container out of it as they arrive (source.ts), and unpacks the
// style, the main script and the core, in a worker that runs this script, too. The policy names style and script by their
// hashes, packed or not.
import { unpacked } from './unpack.ts';

let has_begun = false;

const K = (): void => {
	const script = document.currentScript;
	const data = script?.previousElementSibling;
	if (!(data instanceof HTMLElement)) return;
	const text = data.textContent ?? '';
	const from = (Uint8Array as unknown as { fromBase64?: (t: string) => Uint8Array<ArrayBuffer> }).fromBase64;
	let bytes: Uint8Array<ArrayBuffer>;
	try {
		bytes = from ? from.call(Uint8Array, text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
	} catch {
		bytes = new Uint8Array(0); // what needs it will say that it is not there
	}
	const last = window.winnow.pieces.at(-1);
	const at = data.dataset['at'] === undefined ? (last ? last.at + last.n : 0) : Number(data.dataset['at']);
	// what is drawn first stays; the rest goes to the browser's own process, which keeps it on disk where it is much
	window.winnow.pieces.push({ at, n: bytes.length, bytes: has_begun ? new Blob([bytes]) : bytes });
	if (has_begun) (bytes.buffer as { transfer?: (n: number) => unknown }).transfer?.(0);
	data.remove();
	script?.remove();
	window.winnow.more?.();
};
/** Style, script and core take their places. */
const put = (bytes: Uint8Array<ArrayBuffer>, [n_style = 0, n_script = 0]: number[]): void => {
	const add = (kind: string, from: number, to: number): void => {
		const element = document.createElement(kind);
		element.textContent = new TextDecoder().decode(bytes.subarray(from, to));
		document.head.append(element);
	};
	window.winnow.core = bytes.slice(n_style + n_script);
	add('style', 0, n_style);
	add('script', n_style, n_style + n_script);
};
/** Unpacks in a worker, while what the page already says is painted and the rest of it arrives. */
const M = (): void => {
	has_begun = true;
	const packed = document.getElementById('packed');
	const text = packed?.textContent ?? '', lengths = (packed?.dataset['bytes'] ?? '').split(' ').map(Number);
	packed?.remove();
	const n = lengths.reduce((sum, x) => sum + x, 0), url = URL.createObjectURL(new Blob([own], { type: 'text/javascript' })), worker = new Worker(url);
	URL.revokeObjectURL(url);
	worker.onmessage = (e: MessageEvent<Uint8Array<ArrayBuffer>>) => { worker.terminate(); put(e.data, lengths); };
	worker.onerror = () => put(unpacked(text, n), lengths);
	worker.postMessage({ text, n });
};
const own = globalThis.document?.currentScript?.textContent ?? '';
if (own) {
	window.winnow = { pieces: [], core: new Uint8Array(0) };
	Object.assign(window, { K, M });
} else onmessage = ({ data: { text, n } }: MessageEvent<{ text: string; n: number }>) => {
	const bytes = unpacked(text, n);
	postMessage(bytes, { transfer: [bytes.buffer] });
};
