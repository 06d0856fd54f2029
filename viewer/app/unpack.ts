// SPDX-License-Identifier: MIT
// What build.mjs packs: raw LZMA with lc=3, lp=0, pb=0 in base64, whose unpacked sizes the caller knows.
import type { Bytes } from './source.ts';

const kind_bits = 11, low_bits = 5;
const n_states = 12;
/** Where each kind of bit keeps its odds, each found behind the one before. */
const is_match = 0, is_rep = is_match + n_states, is_rep0 = is_rep + n_states, is_rep1 = is_rep0 + n_states, is_rep2 = is_rep1 + n_states,
	is_rep0_long = is_rep2 + n_states, slots = is_rep0_long + n_states, special = slots + 4 * 64, align = special + 128,
	match_length = align + 16, rep_length = match_length + 274, literals = rep_length + 274, n_odds = literals + 8 * 0x300;

/** Of base64. */
export const bytesOf = (text: string): Bytes => {
	const from = (Uint8Array as unknown as { fromBase64?: (t: string) => Bytes }).fromBase64;
	return from ? from.call(Uint8Array, text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
};

/** Parts of these lengths, each told as soon as it is unpacked. */
export const unpack = (text: string, lengths: number[], tell: (part: Bytes) => void): void => {
	const from = bytesOf(text);
	const out = new Uint8Array(lengths.reduce((sum, n) => sum + n, 0));
	const odds = new Uint16Array(n_odds).fill(1 << (kind_bits - 1));
	const rep = [0, 0, 0, 0];
	let range = -1 >>> 0, code = 0, state = 0, to = 0, at = 0;
	const next = (): number => from[at++] ?? 0;
	while (at < 5) code = (code << 8 | next()) >>> 0;

	const narrow = (): void => {
		if (range >= 2 ** 24) return;
		range = range * 256;
		code = (code << 8 | next()) >>> 0;
	};
	const bit = (k: number): number => {
		const p = odds[k] ?? 0, bound = (range >>> kind_bits) * p;
		const is_one = code >= bound;
		if (is_one) {
			range -= bound;
			code -= bound;
			odds[k] = p - (p >> low_bits);
		} else {
			range = bound;
			odds[k] = p + ((1 << kind_bits) - p >> low_bits);
		}
		narrow();
		return is_one ? 1 : 0;
	};
	const tree = (base: number, bits: number): number => {
		let m = 1;
		while (m < 1 << bits) m = m << 1 | bit(base + m);
		return m - (1 << bits);
	};
	const reversed = (base: number, bits: number): number => {
		let value = 0;
		for (let i = 0, m = 1; i < bits; i++) {
			const b = bit(base + m);
			m = m << 1 | b;
			value |= b << i;
		}
		return value;
	};
	/** Behind the two choices: 8 short ones, 8 middle ones, 256 long ones. */
	const length = (base: number): number =>
		!bit(base) ? 2 + tree(base + 2, 3) : !bit(base + 1) ? 10 + tree(base + 10, 3) : 18 + tree(base + 18, 8);
	const distance = (n_same: number): number => {
		const slot = tree(slots + 64 * Math.min(n_same - 2, 3), 6);
		if (slot < 4) return slot;
		const bits = (slot >> 1) - 1, high = (2 | slot & 1) << bits;
		if (slot < 14) return high + reversed(special + high - slot, bits);
		let value = 0;
		for (let i = 4; i < bits; i++) {
			range >>>= 1;
			value = value << 1 | (code >= range ? 1 : 0);
			if (code >= range) code -= range;
			narrow();
		}
		return high + value * 16 + reversed(align, 4);
	};

	/** A byte as it is, or several as they were before. */
	const step = (): void => {
		const far = (): number => out[to - (rep[0] ?? 0) - 1] ?? 0;
		if (!bit(is_match + state)) {
			const base = literals + 0x300 * ((out[to - 1] ?? 0) >> 5);
			let m = 1;
			if (state >= 7)
				for (let like = far(); m < 256;) {
					const expected = like >> 7 & 1;
					const b = bit(base + (1 + expected << 8) + m);
					m = m << 1 | b;
					like <<= 1;
					if (b !== expected) break;
				}
			while (m < 256) m = m << 1 | bit(base + m);
			out[to++] = m;
			state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
			return;
		}
		let n_same = 1;
		if (!bit(is_rep + state)) {
			n_same = length(match_length);
			rep.unshift(distance(n_same));
			rep.pop();
			state = state < 7 ? 7 : 10;
		} else {
			const k = !bit(is_rep0 + state) ? 0 : !bit(is_rep1 + state) ? 1 : 2 + bit(is_rep2 + state);
			if (k === 0 && !bit(is_rep0_long + state)) {
				state = state < 7 ? 9 : 11;
			} else {
				rep.unshift(...rep.splice(k, 1));
				n_same = length(rep_length);
				state = state < 7 ? 8 : 11;
			}
		}
		for (; n_same > 0 && to < out.length; n_same--, to++) out[to] = far();
	};
	let told = 0;
	for (const n of lengths) {
		while (to < told + n) step();
		tell(out.slice(told, told += n));
	}
};
