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

const table = new Int32Array(256).map((_, c) => {
	for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
	return c;
});

export const crc32 = (bytes: Bytes): number => {
	let c = -1;
	for (let i = 0; i < bytes.length; i++) c = table[(c ^ bytes[i]!) & 255]! ^ (c >>> 8);
	return ~c >>> 0;
};

/** Frees bytes that nobody needs any more, without waiting for the collector, which comes late where much passes. */
export const drop = (bytes: Bytes): void => { (bytes.buffer as { transfer?: (n: number) => unknown }).transfer?.(0); };

/* Raw deflate (RFC 1951), inflated at once: a stream of the browser costs a millisecond before it has read anything, and a chunk has some twenty
 * blocks. What is damaged ends in an error or in other bytes, which the caller's checksum finds. */

const torn = (): Error => new Error('the file is damaged: a part of it cannot be unpacked');

/** By as many bits as the longest code has, which come in reverse: 16 times the symbol, and how long its code is; 0: no code. In one of two
 *  places, which the next one overwrites. */
const room = [new Uint16Array(1 << 15), new Uint16Array(1 << 15)];
const tableOf = (lengths: Uint8Array, at = 0): Uint16Array => {
	const n_of = Array<number>(17).fill(0), most = Math.max(1, ...lengths), table = room[at]!.subarray(0, 1 << most).fill(0);
	for (const n of lengths) if (n) n_of[n + 1]!++;
	// the first code of each length
	for (let n = 1; n < 17; n++) n_of[n] = (n_of[n]! + n_of[n - 1]!) << 1;
	lengths.forEach((n, symbol) => {
		let back = 0;
		if (n) for (let k = 0, code = n_of[n]!++; k < n; k++, code >>= 1) back = back << 1 | code & 1;
		if (n) for (; back < table.length; back += 1 << n) table[back] = symbol << 4 | n;
	});
	return table;
};

/** Inflates `packed`, which must become exactly `n` bytes. */
export const inflate = (packed: Bytes, n: number): Bytes => {
	const out = new Uint8Array(n), end = packed.length;
	let at = 0, hold = 0, n_bits = 0, to = 0;
	/** Takes up to 16 bits. */
	const bits = (wanted: number): number => {
		for (; n_bits < wanted; n_bits += 8) {
			if (at >= end) throw torn();
			hold |= packed[at++]! << n_bits;
		}
		const value = hold & (1 << wanted) - 1;
		hold >>>= wanted;
		n_bits -= wanted;
		return value;
	};
	/** Takes a symbol; those that are literals go out until another one comes. */
	const symbol = (table: Uint16Array, least: number): number => {
		for (const mask = table.length - 1; ;) {
			for (; n_bits < 15 && at < end; n_bits += 8) hold |= packed[at++]! << n_bits;
			const found = table[hold & mask]!, used = found & 15;
			if (used === 0 || used > n_bits || to > n) throw torn();
			hold >>>= used;
			n_bits -= used;
			if (found >> 4 >= least) return found >> 4;
			out[to++] = found >> 4;
		}
	};
	/** What the code of a length (step 2) or a distance (step 1) adds to the least one. */
	const value = (s: number, step: number): number => {
		const extra = Math.max(0, (s >> step) - 1);
		return extra > 5 && step > 1 ? 255 : (extra ? (1 << step) + (s & (1 << step) - 1) << extra : s) + bits(extra);
	};
	for (let is_last = 0; !is_last;) {
		is_last = bits(1);
		const kind = bits(2), all = new Uint8Array(320);
		let n_lengths = 288, n_all = 318;
		if (kind === 0) {
			at -= n_bits >> 3;
			hold = n_bits = 0;
			for (let size = bits(16) + 0 * bits(16); size > 0; size--) out[to++] = packed[at++]!;
			continue;
		}
		if (kind === 1) all.fill(8).fill(9, 144).fill(7, 256).fill(8, 280).fill(5, 288);
		else {
			n_lengths = bits(5) + 257;
			n_all = n_lengths + bits(5) + 1;
			const codes = new Uint8Array(19), n_codes = bits(4) + 4;
			for (let k = 0; k < n_codes; k++) codes[[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15][k]!] = bits(3);
			const table = tableOf(codes);
			for (let k = 0; k < n_all;) {
				const s = symbol(table, 0);
				if (s < 16) all[k++] = s;
				else all.fill(s > 16 ? 0 : all[k - 1]!, k, k += s === 16 ? bits(2) + 3 : s === 17 ? bits(3) + 3 : bits(7) + 11);
			}
		}
		const lengths = tableOf(all.subarray(0, n_lengths)), distances = tableOf(all.subarray(n_lengths, n_all), 1);
		for (let s = symbol(lengths, 256); s > 256; s = symbol(lengths, 256)) {
			const until = to + 3 + value(s - 257, 2), back = 1 + value(symbol(distances, 0), 1);
			if (back > to || until > n) throw torn();
			for (; to < until; to++) out[to] = out[to - back]!;
		}
	}
	if (to !== n || at > end) throw torn();
	return out;
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
	const raw = inflate(await source.read(Number(view.getBigUint64(24, true)), view.getUint32(32, true)), n_raw);
	if (crc32(raw) !== view.getUint32(40, true)) throw damaged();
	const index: unknown = JSON.parse(new TextDecoder().decode(raw));
	if (typeof index !== 'object' || index === null || Array.isArray(index)) throw damaged();
	return { source, head, index: index as Index };
};
