// SPDX-License-Identifier: MIT
// The head and the index of a container, winnow-grains(5). Nothing here is believed before it is checked.
import type { Bytes, ChunkSource } from './source.ts';

export interface Index {
	report?: unknown;
	[key: string]: unknown;
}

export interface Container {
	source: ChunkSource;
	head: Bytes;
	index: Index;
}

const least_head_bytes = 120;
const most_head_bytes = 4096;
const magic = 'WINGRAIN';
const most_index_bytes = 2 ** 28;

/** At 256 k + b: what a byte b comes to when k zeros follow it. */
const table = new Int32Array(2048).map((_, i) => {
	let c = i & 255;
	for (let k = i | 255; k > 0; k -= 32)
		c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
	return c;
});

/** Four bytes, of which the first goes through `at` + 768 of the table. */
const word = (w: number, at: number): number =>
	table[at + 768 + (w & 255)]! ^ table[at + 512 + (w >>> 8 & 255)]! ^ table[at + 256 + (w >>> 16 & 255)]! ^ table[at + (w >>> 24)]!;

/** Eight bytes at a time. */
export const crc32 = (bytes: Bytes): number => {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	let c = -1, i = 0;
	for (; i + 8 <= bytes.length; i += 8)
		c = word(c ^ view.getInt32(i, true), 1024) ^ word(view.getInt32(i + 4, true), 0);
	for (; i < bytes.length; i++)
		c = table[(c ^ bytes[i]!) & 255]! ^ (c >>> 8);
	return ~c >>> 0;
};

/** Frees bytes that nobody needs any more, without waiting for the collector, which comes late where much passes. */
export const drop = (bytes: Bytes): void => { (bytes.buffer as { transfer?: (n: number) => unknown }).transfer?.(0); };

let n_inflated = 0;
/** Streams hold memory of which the collector does not know. This it does know of, and it is never touched. */
const remindCollector = (): void => { if (++n_inflated % 64 === 0) new ArrayBuffer(2 ** 27); };

/** Inflates `packed`, which must become exactly `n` bytes. */
export const inflate = async (packed: Bytes, n: number): Promise<Bytes> => {
	remindCollector();
	const stream = new DecompressionStream('deflate-raw');
	const writer = stream.writable.getWriter();
	writer.write(packed).catch(() => undefined);
	writer.close().catch(() => undefined);
	const out = new Uint8Array(n);
	const reader = stream.readable.getReader();
	for (let at = 0;;) {
		const { done, value } = await reader.read().catch(() => { throw new Error('the file is damaged: a part of it cannot be unpacked'); });
		if (done) {
			if (at !== n) throw new Error('the file is damaged: a part of it is shorter than it says');
			return out;
		}
		if (at + value.length > n) {
			await reader.cancel();
			throw new Error('the file is damaged: a part of it is longer than it says');
		}
		out.set(value, at);
		at += value.length;
		drop(value);
	}
};

const damaged = (): Error => new Error('the file is damaged where its index is');

/** What speaks against its being all there: a sentence, or nothing. */
export const shortage = ({ head, source }: Container): string => {
	const n = new DataView(head.buffer, head.byteOffset, head.byteLength).getBigUint64(16, true);
	return source.size !== null && BigInt(source.size) < n
		? `the file has been cut off: it has ${source.size} of ${n} bytes, and what was behind them is not shown` : '';
};

/** Opens the container behind `source`; fails with one sentence that a reader can act on. */
export const open = async (source: ChunkSource): Promise<Container> => {
	const start = await source.read(0, least_head_bytes).catch(() => { throw new Error('this is not a file that winnow view wrote'); });
	const of_start = new DataView(start.buffer, start.byteOffset, start.byteLength);
	if (String.fromCharCode(...start.subarray(0, 8)) !== magic)
		throw new Error('this is not a file that winnow view wrote');
	const major = of_start.getUint16(8, true);
	if (major !== 1)
		throw new Error(`the file has format ${major}, and this page reads format 1: open it with the winnow that wrote it`);
	const n_head = of_start.getUint32(12, true);
	if (n_head < least_head_bytes || n_head > most_head_bytes)
		throw new Error('the head of the file is damaged');
	const head = await source.read(0, n_head);
	const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
	if (crc32(head.subarray(0, n_head - 4)) !== view.getUint32(n_head - 4, true))
		throw new Error('the head of the file is damaged');
	if (view.getBigUint64(16, true) === 0n)
		throw new Error('the file was not finished: winnow view was interrupted while it wrote it');
	const n_raw = view.getUint32(36, true);
	if (n_raw > most_index_bytes) throw damaged();
	const raw = await inflate(await source.read(Number(view.getBigUint64(24, true)), view.getUint32(32, true)), n_raw).catch(() => { throw damaged(); });
	if (crc32(raw) !== view.getUint32(40, true)) throw damaged();
	const index: unknown = JSON.parse(new TextDecoder().decode(raw));
	if (typeof index !== 'object' || index === null || Array.isArray(index)) throw damaged();
	return { source, head, index: index as Index };
};
