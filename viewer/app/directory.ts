// SPDX-License-Identifier: MIT
// The directory of a container: which blocks of which columns lie where (src/grains/format.h).
import columns from 'columns:names';
import { crc32, inflate, type Container } from './container.ts';
import type { Bytes } from './source.ts';

export const part_kind = { tier: 1, sites: 2, threads: 3, chunks: 4, loops: 5, regions: 6, chunk: 7, stretches: 10 } as const;

export interface Block {
	column: number;
	rows: number;
	width: number;
	code: number;
	state: number;
	at: number;
	n_bytes: number;
	crc: number;
	/** As it is in the file. */
	raw: Bytes;
}

export interface Part {
	kind: number;
	number: number;
	rows: number[];
	first_node: number;
	first_grain: number;
	/** Of a chunk: the innermost group that is open where it begins, and how many are. */
	parent: number;
	n_open: number;
	blocks: Block[];
	/** As it is in the file. */
	raw: Bytes;
}

const part_bytes = 80;
const block_bytes = 16;
const most_bytes = 2 ** 28;
const most_rows = 2 ** 24;
const rows_table = 5;
const code = { plain: 0, previous: 1, signed: 4, real: 5 } as const;
const state = { all: 0, some: 1 } as const;

/** Is a chunk in the file, or was it left out? */
export const isHere = (p: Part): boolean => p.blocks.some((b) => b.rows === 0 && columns[b.column] === 'node_kind' && b.state <= state.some);

const damaged = (): Error => new Error('the file is damaged where its directory is');

export const directory = async (c: Container): Promise<Part[]> => {
	const head = new DataView(c.head.buffer, c.head.byteOffset, c.head.byteLength);
	const n_raw = head.getUint32(60, true);
	const n_parts = head.getUint32(68, true);
	const n_blocks = head.getUint32(84, true);
	if (n_raw > most_bytes || n_parts * part_bytes + n_blocks * block_bytes !== n_raw) throw damaged();
	if (n_raw === 0) return [];
	const raw = inflate(await c.source.read(Number(head.getBigUint64(48, true)), head.getUint32(56, true)), n_raw);
	if (crc32(raw) !== head.getUint32(64, true)) throw damaged();
	const v = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
	const parts: Part[] = [];
	const parts_at = Number(head.getBigUint64(104, true));
	let next = n_parts * part_bytes;
	for (let p = 0; p < n_parts; p++) {
		const at = p * part_bytes;
		let where = parts_at + Number(v.getBigUint64(at + 8, true));
		const part: Part = {
			kind: v.getUint8(at), number: v.getUint32(at + 4, true), rows: [0, 1, 2, 3, 4, 5].map((k) => v.getUint32(at + 24 + 4 * k, true)),
			first_node: v.getUint32(at + 48, true), first_grain: v.getUint32(at + 52, true),
			parent: v.getUint32(at + 56, true), n_open: v.getUint32(at + 60, true), blocks: [],
			raw: raw.subarray(at, at + part_bytes),
		};
		for (let n = v.getUint32(at + 20, true); n > 0; n--, next += block_bytes) {
			if (next + block_bytes > n_raw) throw damaged();
			const b: Block = {
				column: v.getUint16(next, true), rows: v.getUint8(next + 2), width: v.getUint8(next + 3), code: v.getUint8(next + 4),
				state: v.getUint8(next + 5), at: where, n_bytes: v.getUint32(next + 8, true), crc: v.getUint32(next + 12, true),
				raw: raw.subarray(next, next + block_bytes),
			};
			where += b.n_bytes;
			part.blocks.push(b);
		}
		parts.push(part);
	}
	return parts;
};

/** Bytes that came as a message are the browser's, too, until it collects garbage, unless they are sent away: to a closed port. */
const { port1: nowhere, port2 } = new MessageChannel();
port2.close();

/** Some blocks of a part, which is read at once; inflated: a bitmap of missing rows where some are, then planes of bytes. */
export const inflatedOf = async (c: Container, part: Part, blocks: Block[]): Promise<Bytes[]> => {
	const from = Math.min(...blocks.map((b) => b.at));
	const to = Math.max(...blocks.map((b) => b.at + b.n_bytes));
	if (blocks.length === 0) return [];
	if (to - from > most_bytes) throw damaged();
	const all = await c.source.read(from, to - from);
	const out = blocks.map((b) => {
		const n = part.rows[b.rows] ?? 0;
		if (n > most_rows || b.width > 8) throw damaged();
		const n_raw = (b.state === state.some ? (n + 7) >> 3 : 0) + b.width * n;
		if (b.state > state.some || n_raw === 0) return new Uint8Array(0);
		const raw = inflate(all.subarray(b.at - from, b.at - from + b.n_bytes), n_raw);
		if (crc32(raw) !== b.crc) throw new Error(`the file is damaged at byte ${b.at}`);
		return raw;
	});
	nowhere.postMessage(null, [all.buffer]);
	return out;
};

/** A block of a part. */
export const inflated = async (c: Container, part: Part, b: Block): Promise<Bytes> => (await inflatedOf(c, part, [b]))[0]!;

/** A column of a table, NaN where a value is missing; null where the table does not have it. */
export const column = async (c: Container, part: Part, name: string): Promise<Float64Array | null> => {
	const b = part.blocks.find((x) => x.rows === rows_table && columns[x.column] === name);
	if (!b) return null;
	const n = part.rows[rows_table] ?? 0;
	const out = new Float64Array(n);
	if (b.state > state.some) return out.fill(NaN);
	const raw = await inflated(c, part, b);
	const planes = b.state === state.some ? (n + 7) >> 3 : 0;
	const bytes = new DataView(new ArrayBuffer(8));
	for (let i = 0, before = 0; i < n; i++) {
		for (let k = 0; k < b.width; k++) bytes.setUint8(k, raw[planes + k * n + i] ?? 0);
		const z = b.code === code.real ? bytes.getFloat64(0, true) : bytes.getUint32(4, true) * 2 ** 32 + bytes.getUint32(0, true), d = z % 2 ? -(z + 1) / 2 : z / 2;
		out[i] = b.code === code.previous ? before += d : b.code === code.signed ? d : z;
	}
	if (b.state === state.some)
		for (let i = 0; i < n; i++) if ((raw[i >> 3] ?? 0) >> (i & 7) & 1) out[i] = NaN;
	return out;
};
