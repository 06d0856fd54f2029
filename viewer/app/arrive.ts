// SPDX-License-Identifier: MIT
// The first script of the page: takes pieces of the container out of it as they arrive (source.ts), and starts the
// main script, which is packed. The policy names that by its hash, packed or not.
import { unpacked } from './unpack.ts';

window.winnow = { pieces: [] };

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
	// what was decoded goes to the browser's own process, which keeps it on disk where it is much; nothing stays here
	window.winnow.pieces.push({ at, n: bytes.length, blob: new Blob([bytes]) });
	(bytes.buffer as { transfer?: (n: number) => unknown }).transfer?.(0);
	data.remove();
	script?.remove();
	window.winnow.more?.();
};
const M = (): void => {
	const packed = document.getElementById('main-script');
	const script = document.createElement('script');
	script.textContent = new TextDecoder().decode(unpacked(packed?.textContent ?? '', Number(packed?.dataset['bytes'])));
	packed?.replaceWith(script);
};
Object.assign(window, { K, M });
