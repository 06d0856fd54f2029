// SPDX-License-Identifier: MIT
// Readable ids of nodes, both ways, as the command line has them: out of a table of its own (table.ts), a chunk at a time.
import { isHere, part_kind, type Part } from '../directory.ts';
import { fields, type Json } from '../json.ts';
import { calls, run, type Opened } from './calls.ts';
import { buffer, call, text, withTexts } from './memory.ts';
import { must, read, take, wants } from './table.ts';

/** Nodes whose ids begin with a text; the first is called so, if any is. */
export interface Sought {
	nodes: number[];
	ids: (string | null)[];
	is_exact: boolean;
}

const all_said = 0, is_elsewhere = 1;
const no_part = -1;

/** Calls that mean this table; nothing may be awaited inside. */
const mine = <T>(f: () => T): T => {
	call('core_table_use', 2);
	try { return f(); } finally { call('core_table_use', 0); }
};

let prepared: Promise<void> | null = null;
/** The chunk that the table has. */
let here = no_part;
let stamp = 0;
let turn: Promise<unknown> = Promise.resolve();

const inTurn = <T>(f: () => Promise<T>): Promise<T> => {
	const next = turn.then(f, f);
	turn = next.catch(() => undefined);
	return next;
};

const bring = async (o: Opened, p: Part): Promise<void> => {
	const blocks = await read(o, p, mine(() => p.blocks.filter((b) => wants(p, b))));
	here = no_part;
	mine(() => take(p, blocks));
	here = p.kind === part_kind.chunk ? p.number : no_part;
};

const ready = (o: Opened): Promise<void> => prepared ??= (async () => {
	const imported: Json = fields(o.container.index.report)['imported'];
	mine(() => {
		must(call('core_table_new'));
		must(call('core_names_new', Number(imported !== null && imported !== undefined)));
		call('core_names_ask');
	});
	for (const p of o.parts)
		if (mine(() => call('core_table_wants_part', p.kind)) !== 0) await bring(o, p);
	mine(() => call('core_table_has_tables'));
})();

const chunksOf = (o: Opened): Part[] => o.parts.filter((p) => p.kind === part_kind.chunk);

const chunkOf = (chunks: Part[], node: number): Part | undefined => chunks.findLast((p) => p.first_node <= node);

/** The chunks in which the groups begin that a chunk lies in; then all others. */
const around = (chunks: Part[], of: Part): Part[] => {
	const out = new Set<Part>();
	for (let p: Part | undefined = of; p && !out.has(p) && p.n_open > 0;) {
		p = chunkOf(chunks, p.parent);
		if (p) out.add(p);
	}
	for (const p of chunks) out.add(p);
	return [...out].filter((p) => p !== of && isHere(p));
};

const nameOf = async (o: Opened, chunks: Part[], node: number): Promise<string | null> => {
	const own = chunkOf(chunks, node);
	if (!own || !isHere(own)) return null;
	if (here !== own.number) await bring(o, own);
	let said = mine(() => call('core_name', node));
	for (let before = -1; said === is_elsewhere && before !== call('core_name_wanted');) {
		before = call('core_name_wanted');
		for (const p of around(chunks, own)) {
			await bring(o, p);
			said = mine(() => call('core_name_look'));
			if (said !== is_elsewhere) break;
		}
	}
	return said === all_said ? text(call('core_name_text'), call('core_name_bytes')) : null;
};

/** Ids of nodes; null where the file does not hold what they are made of. */
export const names = (nodes: number[]): Promise<(string | null)[]> => inTurn(async () => {
	const o = await run();
	await ready(o);
	const chunks = chunksOf(o);
	const out: (string | null)[] = [];
	for (const node of nodes) out.push(await nameOf(o, chunks, node).catch(() => null));
	return out;
});

calls.set('names', names);

/** A newer call ends this one. */
calls.set('seek', (words: string, most: number): Promise<Sought> => {
	const own = ++stamp;
	return inTurn(async () => {
		const o = await run();
		await ready(o);
		const chunks = chunksOf(o).filter(isHere);
		withTexts([words], (at) => must(call('core_seek', at ?? 0, most)));
		do
			for (const p of chunks) {
				if (own !== stamp) return { nodes: [], ids: [], is_exact: false };
				if (here !== p.number) await bring(o, p);
				must(mine(() => call('core_seek_in')));
				if (call('core_seek_is_found')) break;
			}
		while (call('core_seek_again'));
		const at = call('core_found');
		const nodes = at === 0 ? [] : [...new Uint32Array(buffer(), at, call('core_n_found'))];
		const is_exact = call('core_found_exact') !== 0;
		const ids: (string | null)[] = [];
		for (const node of nodes) ids.push(await nameOf(o, chunksOf(o), node));
		return { nodes, ids, is_exact };
	});
});
