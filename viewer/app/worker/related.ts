// SPDX-License-Identifier: MIT
// What a node depends on and what depends on it, in whichever chunk: passes over all of them, a step at a time. A newer one
// ends the one before.
import { isHere, part_kind, type Block, type Part } from '../directory.ts';
import type { Bytes } from '../source.ts';
import { calls, run, type Opened } from './calls.ts';
import { buffer, call, free, put } from './memory.ts';
import { names } from './names.ts';
import { bring, placeOf } from './pictures.ts';
import { must, read } from './table.ts';

export interface One {
	node: number;
	work_ns: number;
	place: string;
	/** Readable; null: not known yet. */
	id: string | null;
}

export interface Related {
	/** By enum page_relation: how many there are, and some of them. */
	kinds: { n: number; shown: One[] }[];
	/** Chunks that are not in the file. */
	n_absent: number;
	is_done: boolean;
}

const kinds_n = 6;
const gates = 8;
const step_ms = 40;

interface Look {
	part: Part;
	first: number;
	is_own: boolean;
}

interface Pass {
	o: Opened;
	of: Look[];
	ahead: Promise<[Block, Bytes][]> | null;
	n_absent: number;
}

let pass: Pass | null = null;

const ask = (s: Pass): void => {
	const l = s.of[0];
	s.ahead = l ? read(s.o, l.part, l.part.blocks.filter((b) => call('core_relates', l.part.kind, b.column) !== 0)) : null;
	s.ahead?.catch(() => undefined);
};

/** Nothing may be awaited inside: what is put goes to the part that is looked at. */
const look = (l: Look, blocks: [Block, Bytes][]): void => {
	const p = l.part, rows = put(new Uint8Array(Uint32Array.from(p.rows).buffer));
	const status = call('core_look_at', p.kind, p.number, rows, p.n_open);
	free(rows);
	must(status);
	for (const [b, bytes] of blocks) {
		const at = put(bytes);
		const is_fine = call('core_put', p.kind, p.number, b.column, b.rows, b.width, b.code, b.state, at, bytes.length);
		free(at);
		must(Number(!is_fine));
	}
	must(call('core_look', l.first, Number(l.is_own)));
};

const record_bytes = 16;

const found = async (is_done: boolean, s: Pass): Promise<Related> => {
	const kinds: Related['kinds'] = [];
	for (let k = 0; k < kinds_n; k++) {
		const n = call('core_n_shown', k);
		const v = new DataView(buffer().slice(call('core_related', k), call('core_related', k) + record_bytes * n));
		const one = (i: number): One => ({ work_ns: Number(v.getBigUint64(record_bytes * i, true)), node: v.getUint32(record_bytes * i + 8, true),
			place: placeOf(v.getUint32(record_bytes * i + 12, true)), id: null });
		kinds.push({ n: call('core_n_related', k), shown: Array.from({ length: n }, (_, i) => one(i)) });
	}
	const of = kinds.flatMap((k) => k.shown);
	if (is_done) (await names(of.map((x) => x.node))).forEach((id, i) => { const x = of[i]; if (x) x.id = id; });
	return { kinds, n_absent: s.n_absent, is_done };
};

/** Begins to look; null: forgets. */
calls.set('related', async (node: number | null): Promise<void> => {
	pass = null;
	const o = await run();
	if (node === null) { call('core_relate', 0xffffffff); return; }
	await bring(node);
	must(call('core_relate', node));
	const chunks = o.parts.filter((p) => p.kind === part_kind.chunk);
	const end = call('core_related_end') >>> 0;
	const own = chunks.filter((p) => p.first_node < end && p.first_node + (p.rows[0] ?? 0) > node);
	let first = 0;
	const tables = o.parts.filter((p) => p.kind === gates).sort((a, b) => a.number - b.number)
		.map((part): Look => { const l = { part, first, is_own: false }; first += part.rows[5] ?? 0; return l; });
	const of = [...own.map((part): Look => ({ part, first: 0, is_own: true })), ...tables, ...chunks.map((part): Look => ({ part, first: 0, is_own: false }))];
	const here = of.filter((l) => l.part.kind === gates || isHere(l.part));
	pass = { o, of: here, ahead: null, n_absent: chunks.filter((p) => !isHere(p)).length };
	ask(pass);
});

/** Goes on for a while; null: another one has begun. */
calls.set('related.step', async (): Promise<Related | null> => {
	const s = pass;
	const until = performance.now() + step_ms;
	if (!s) return null;
	do {
		const l = s.of[0];
		if (!l || !s.ahead) break;
		const blocks = await s.ahead;
		if (pass !== s) return null;
		s.of.shift();
		ask(s);
		look(l, blocks);
	} while (performance.now() < until);
	return found(s.of.length === 0, s);
});
