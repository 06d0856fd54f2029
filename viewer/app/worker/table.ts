// SPDX-License-Identifier: MIT
// The table of grains: passes over chunks, a step at a time, so that the page can show how far they are and stop
// them by not asking on. One pass at a time: another one ends it.
import { inflated, isHere, part_kind, type Block, type Part } from '../directory.ts';
import { fields, flag, list, number, text as textOf } from '../json.ts';
import type { Bytes } from '../source.ts';
import { calls, run, whenOpened, type Opened } from './calls.ts';
import { buffer, call, copy, free, move, put, text, withTexts } from './memory.ts';

/** What is wrong with an expression: in which of the texts, at which character, from 1. */
export interface Fault {
	why: string;
	which: number;
	at: number;
}

export interface Query {
	where: string;
	by: string;
	is_descending: boolean;
	/** Sites that count; null: all. */
	sites: number[] | null;
	most: number;
	shown: string[];
}

export interface Progress {
	/** Grains looked at, of how many; and how many matched. */
	n_looked: number;
	n_all: number;
	n_matching: number;
	/** Grains that the file does not hold. */
	n_left_out: number;
	is_done: boolean;
}

export interface Rows extends Progress {
	nodes: Uint32Array;
	sites: Uint32Array;
	/** Row by row. */
	cells: Float64Array;
}

export interface Measured extends Progress {
	n: number;
	n_missing: number;
	n_flagged: number;
	n_zero: number;
	n_negative: number;
	sum: number;
	least: number;
	most: number;
	/** Of values above 0, ascending. */
	bins: { from: number; to: number; n: number }[];
}

const rows_grain = 1;
const rows_summary = 3;
const item_bytes = 24;
const extra = 0x1000;
const number_keys = ['cpus_used', 'elapsed_ns', '', 'parallelism', 'span_ns', 'work_ns'];

const cString = (at: number): string => {
	const bytes = new Uint8Array(buffer(), at);
	return text(at, bytes.indexOf(0));
};

export const why = (): string => cString(call('core_table_why'));
export const must = (status: number): void => { if (status !== 0) throw new Error(why()); };
const fault = (): Fault => ({ why: why(), which: call('core_table_why_which'), at: call('core_table_why_at') });

let columns: string[] = [];
let ratios = new Set<string>();
let chunks: Part[] = [];
let n_all = 0;

/** Tells the table in use what the index says. */
export const prepare = (o: Opened): void => {
	const { index } = o.container;
	const totals = fields(fields(index['report'])['totals']);
	must(call('core_table_new'));
	number_keys.forEach((key, k) => call('core_table_number', k, number(totals[key]) ?? NaN));
	call('core_table_number', 2, number(fields(fields(index['report'])['graph'])['grains']) ?? NaN);
	const extras = list(index['columns']).map(fields).filter((c) => number(c['column']) !== null)
		.sort((a, b) => (number(a['column']) ?? 0) - (number(b['column']) ?? 0));
	extras.forEach((c, k) => {
		if (number(c['column']) === extra + k) withTexts([textOf(c['name']), textOf(c['propagate'])], (...at) => must(call('core_table_extra', ...at)));
	});
	if (fields(index['report'])['imported']) call('core_table_imported');
	for (const p of list(index['problems']).map(fields))
		withTexts([textOf(p['name'])], (name) => must(call('core_table_problem', name ?? 0, flag(p['is_below']) ? 1 : 0, number(p['threshold']) ?? NaN)));
};

whenOpened((o: Opened) => {
	const { index } = o.container;
	chunks = o.parts.filter((p) => p.kind === part_kind.chunk);
	n_all = chunks.reduce((sum, p) => sum + (p.rows[rows_grain] ?? 0), 0);
	prepare(o);
	ratios = new Set(list(index['columns']).map(fields).filter((c) => textOf(c['type']) === 'ratio').map((c) => textOf(c['name'])));
	columns = [];
	for (let at = 0; (at = call('core_table_column', columns.length)) !== 0;) columns.push(cString(at));
});

export const read = async (o: Opened, p: Part, wanted: Block[]): Promise<[Block, Bytes][]> =>
	Promise.all(wanted.map(async (b): Promise<[Block, Bytes]> => [b, await inflated(o.container, p, b)]));

export const take = (p: Part, blocks: [Block, Bytes][]): void => {
	const part = put(p.raw);
	call('core_table_begin', part);
	free(part);
	for (const [b, bytes] of blocks) {
		const block = put(b.raw);
		const n = bytes.length, status = call('core_table_put', block, move(bytes), n);
		free(block);
		must(status);
	}
	must(call('core_table_ready'));
};

export const wants = (p: Part, b: Block): boolean => call('core_table_wants', p.kind, b.column, b.rows) !== 0;

/** What rows of chunks refer to, where something needs it. */
const tables = async (o: Opened): Promise<void> => {
	for (const p of o.parts)
		if (call('core_table_wants_part', p.kind) !== 0) take(p, await read(o, p, p.blocks.filter((b) => wants(p, b))));
	if (call('core_table_wants_groups') !== 0)
		for (const p of chunks)
			if ((p.rows[rows_summary] ?? 0) > 0) take(p, await read(o, p, p.blocks.filter((b) => b.rows === rows_summary && wants(p, b))));
	call('core_table_has_tables');
};

/** A pass over chunks: those to come, and the one that is being read already. */
interface Pass {
	o: Opened;
	next: number;
	of: Part[];
	ahead: Promise<[Block, Bytes][]> | null;
	n_looked: number;
	n_left_out: number;
	/** Called for each chunk that is here. */
	look: (p: Part) => void;
	/** Nothing more has to be looked at. */
	isEnough: () => boolean;
}

let pass: Pass | null = null;

const ask = (s: Pass): void => {
	const p = s.of[s.next];
	s.ahead = p && isHere(p) ? read(s.o, p, p.blocks.filter((b) => wants(p, b))) : null;
	s.ahead?.catch(() => undefined);
};

export const begin = async (of: Part[], look: (p: Part) => void, isEnough: () => boolean = () => false): Promise<Pass> => {
	const o = await run();
	const s: Pass = { o, next: 0, of, ahead: null, n_looked: 0, n_left_out: 0, look, isEnough };
	pass = s;
	await tables(o);
	ask(s);
	return s;
};

const step_ms = 40;

/** Goes on for some time; true when all is done. */
export const goOn = async (s: Pass): Promise<boolean> => {
	const until = performance.now() + step_ms;
	do {
		const p = s.of[s.next];
		if (!p || s.isEnough()) break;
		const n = p.rows[rows_grain] ?? 0;
		if (s.ahead === null) { s.n_left_out += n; s.next++; ask(s); continue; }
		const blocks = await s.ahead;
		if (pass !== s) throw new Error('another pass has begun');
		s.next++;
		ask(s);
		take(p, blocks);
		s.look(p);
		s.n_looked += n;
	} while (performance.now() < until);
	const is_over = s.next >= s.of.length || s.isEnough();
	if (is_over) call('core_table_forget_part');
	return is_over;
};

const progress = (s: Pass, is_done: boolean): Progress =>
	({ n_looked: s.n_looked, n_all, n_matching: call('core_table_matching'), n_left_out: s.n_left_out, is_done });

const current = (): Pass => {
	if (!pass) throw new Error('no pass has begun');
	return pass;
};

/** An expression and what to sort by; null, or what is wrong with them. */
const setQuery = (q: Query): Fault | null => {
	const wanted = q.sites === null ? 0 : put(Uint8Array.from({ length: Math.max(-1, ...q.sites) + 2 }, (_, i) => (q.sites?.includes(i) ? 1 : 0)));
	const n_sites = q.sites === null ? 0 : Math.max(-1, ...q.sites) + 1;
	call('core_table_ask_nothing');
	const status = withTexts([q.where, q.by], (where, by) => call('core_table_query', where ?? 0, by ?? 0, q.is_descending ? 1 : 0, wanted, n_sites, q.most));
	free(wanted);
	return status === 0 ? null : fault();
};

const thresholds = (values: [number, number][]): void => { for (const [p, value] of values) call('core_table_threshold', p, value); };

calls.set('table.columns', async (): Promise<string[]> => { await run(); return columns; });
calls.set('table.thresholds', async (values: [number, number][]): Promise<void> => { await run(); thresholds(values); });

let asked: Query | null = null;

/** Begins to look; table.step goes on, table.rows gives what was found. */
calls.set('table.query', async (q: Query): Promise<Fault | null> => {
	await run();
	asked = q;
	const f = setQuery(q);
	if (f) return f;
	const is_plain = q.where.trim() === '' && q.by.trim() === '' && q.sites === null;
	await begin(chunks, () => call('core_table_look', 0), () => is_plain && call('core_table_matching') >= q.most);
	return null;
});

calls.set('table.step', async (): Promise<Progress> => {
	const s = current();
	return progress(s, await goOn(s));
});

let gathered: Rows | null = null;

/** What was found, sorted, with what is to be shown of it: begins to fill the rows in; table.rowsStep goes on. */
calls.set('table.rows', async (): Promise<number> => {
	const s = current();
	const at = call('core_table_items');
	const n = call('core_table_n_items');
	const items = new DataView(copy(at, n * item_bytes));
	const ids = (asked?.shown ?? []).map((c) => columns.indexOf(c));
	const out: Rows = { ...progress(s, true), nodes: new Uint32Array(n), sites: new Uint32Array(n), cells: new Float64Array(n * ids.length).fill(NaN) };
	const of_chunk = new Map<number, number[]>();
	for (let i = 0; i < n; i++) {
		const chunk = items.getUint32(i * item_bytes + 8, true);
		const rows = of_chunk.get(chunk);
		if (rows) rows.push(i);
		else of_chunk.set(chunk, [i]);
		out.nodes[i] = items.getUint32(i * item_bytes + 16, true);
		out.sites[i] = items.getUint32(i * item_bytes + 20, true);
	}
	call('core_table_ask_nothing');
	for (const id of ids) if (id >= 0) call('core_table_ask', id);
	gathered = out;
	await begin(chunks.filter((p) => of_chunk.has(p.number)), (p) => {
		for (const i of of_chunk.get(p.number) ?? [])
			ids.forEach((id, k) => { if (id >= 0) out.cells[i * ids.length + k] = call('core_table_value', id, items.getUint32(i * item_bytes + 12, true)); });
	});
	return n;
});

/** The rows, once they are filled in; until then null. */
calls.set('table.rowsStep', async (): Promise<Rows | null> => await goOn(current()) ? gathered : null);

/** Six digits as C writes them (%.6g): what lies just between two goes to the even one. */
export const sixDigits = (v: number): string => {
	if (v === 0) return '0';
	let [mantissa = '', power = ''] = v.toExponential(5).split('e');
	if (v.toExponential(7).includes('50e') && /^-?\d\.\d{5}50*$/.test(v.toExponential(80).split('e')[0] ?? '') && Number(mantissa.at(-1)) % 2 === 1)
		mantissa = mantissa.slice(0, -1) + String(Number(mantissa.at(-1)) - 1);
	const n = Number(power);
	return n < -4 || n > 5 ? `${String(Number(mantissa))}e${n < 0 ? '-' : '+'}${String(Math.abs(n)).padStart(2, '0')}` : String(Number(`${mantissa}e${n}`));
};

/** Values of the chunk's rows, for a text: as `winnow export --format csv` writes them. */
const csvOf = (p: Part, n: number, rows: Uint32Array, names: readonly (string | undefined)[]): string => {
	const n_rows = p.rows[rows_grain] ?? 0;
	const room = call('core_alloc', 8 * n_rows);
	if (room === 0) throw new Error('there is not enough memory for this');
	const lines: string[][] = Array.from({ length: n }, () => []);
	columns.forEach((name, k) => {
		call('core_table_values', k, 0, n_rows, room);
		const values = new Float64Array(buffer(), room, n_rows);
		for (let i = 0; i < n; i++) {
			const v = values[rows[i] ?? 0] ?? NaN;
			lines[i]?.push(Number.isNaN(v) ? '' : name === 'kind' ? kinds[v] ?? '' : ratios.has(name) ? sixDigits(v) : String(v));
		}
	});
	free(room);
	const nodes = call('core_alloc', 8 * n_rows);
	call('core_table_nodes', nodes, nodes + 4 * n_rows);
	const sites = new Uint32Array(buffer(), nodes + 4 * n_rows, n_rows);
	for (let i = 0; i < n; i++) lines[i]?.push(names[sites[rows[i] ?? 0] ?? -1] ?? '');
	free(nodes);
	return lines.map((l) => l.join(',')).join('\n') + (n > 0 ? '\n' : '');
};

const kinds: Record<number, string> = { 2: 'implicit', 3: 'task', 4: 'taskloop', 5: 'chunk', 6: 'section' };
let pieces: string[] = [];

/** All rows that match, as text: table.csvStep gives pieces until it is done. `names` are places by site, quoted. */
calls.set('table.csv', async (q: Query, names: string[]): Promise<Fault | null> => {
	await run();
	const f = setQuery({ ...q, by: '', most: 0 });
	if (f) return f;
	columns.forEach((_, k) => call('core_table_ask', k));
	pieces = [`${[...columns, 'place'].join(',')}\n`];
	await begin(chunks, (p) => {
		const n_rows = p.rows[rows_grain] ?? 0;
		const at = call('core_alloc', 4 * n_rows + 4);
		if (at === 0) throw new Error('there is not enough memory for this');
		const n = call('core_table_look', at);
		const rows = new Uint32Array(copy(at, 4 * n));
		free(at);
		pieces.push(csvOf(p, n, rows, names));
	});
	return null;
});

calls.set('table.csvStep', async (): Promise<Progress & { text: string }> => {
	const s = current();
	const is_done = await goOn(s);
	const out = pieces.join('');
	pieces = [];
	return { ...progress(s, is_done), text: out };
});

/** How an expression's values are spread: table.metricStep tells of what was looked at so far. */
calls.set('table.metric', async (words: string, is_below: boolean, threshold: number): Promise<Fault | null> => {
	await run();
	call('core_table_ask_nothing');
	if (withTexts([words], (at) => call('core_table_metric', at ?? 0, is_below ? 1 : 0, threshold)) !== 0) return fault();
	await begin(chunks, () => call('core_table_measure'));
	return null;
});

const n_bins = 8192;

const measured = (): Omit<Measured, keyof Progress> => {
	const at = call('core_table_measured');
	const v = new DataView(copy(at, 64 + 4 * n_bins));
	const whole = (k: number): number => Number(v.getBigUint64(8 * k, true));
	const edge = (bin: number): number => {
		const bits = new DataView(new ArrayBuffer(8));
		bits.setBigUint64(0, BigInt(bin) << 50n);
		return bits.getFloat64(0);
	};
	const bins: Measured['bins'] = [];
	for (let k = 0; k < n_bins; k++) {
		const n = v.getUint32(64 + 4 * k, true);
		if (n > 0) bins.push({ from: edge(k), to: edge(k + 1), n });
	}
	return { n: whole(0), n_missing: whole(1), n_flagged: whole(2), n_zero: whole(3), n_negative: whole(4),
		sum: v.getFloat64(40, true), least: v.getFloat64(48, true), most: v.getFloat64(56, true), bins };
};

calls.set('table.metricStep', async (): Promise<Measured> => {
	const s = current();
	const is_done = await goOn(s);
	return { ...progress(s, is_done), ...measured() };
});
