// SPDX-License-Identifier: MIT
// Which grains have which problem, and how bad it is, for pictures: by a table of its own (table.ts), so that no pass of
// the shell's is disturbed.
import { isHere, part_kind, type Block, type Part } from '../directory.ts';
import { fields, list, number } from '../json.ts';
import type { Bytes } from '../source.ts';
import { calls, run, type Opened } from './calls.ts';
import { call, withTexts } from './memory.ts';
import { failed, tiers } from './parts.ts';
import { must, prepare, read, take, wants, why } from './table.ts';

const state_left_out = 3;
const rows_grain = 1;
const rows_summary = 3;

export interface Judged {
	n_judged: number;
	n_all: number;
	/** Of each problem of the pass: grains that have it, and those that could not be judged, as they are not in this file or cannot be read. */
	counts: number[];
	lacking: number[];
	is_done: boolean;
}

/** Calls that mean this table; nothing may be awaited inside. */
const mine = <T>(f: () => T): T => {
	call('core_table_use', 1);
	try { return f(); } finally { call('core_table_use', 0); }
};

/** What is needed of a part: by a pass, or of a chunk that has come. */
const needed = (p: Part, is_of_pass: boolean): Block[] => mine(() => {
	call('core_threshold_ask', Number(is_of_pass));
	return p.blocks.filter((b) => wants(p, b));
});

const put = (p: Part, blocks: [Block, Bytes][], is_of_pass: boolean): void => mine(() => {
	call('core_threshold_ask', Number(is_of_pass));
	take(p, blocks);
	const status = call('core_threshold_chunk', p.number, Number(is_of_pass));
	call('core_table_forget_part');
	must(status);
});

/** What rows of chunks refer to. */
const tables = async (o: Opened, is_of_pass: boolean): Promise<void> => {
	const bring = async (p: Part, isWanted: (rows: number) => boolean): Promise<void> => {
		const blocks = await read(o, p, needed(p, is_of_pass).filter((b) => isWanted(b.rows)));
		mine(() => { call('core_threshold_ask', Number(is_of_pass)); take(p, blocks); });
	};
	mine(() => call('core_threshold_ask', Number(is_of_pass)));
	for (const p of o.parts)
		if (mine(() => call('core_table_wants_part', p.kind)) !== 0) await bring(p, () => true);
	if (mine(() => call('core_table_wants_groups')) !== 0)
		for (const p of o.parts)
			if (p.kind === part_kind.chunk && (p.rows[rows_summary] ?? 0) > 0) await bring(p, (rows) => rows === rows_summary);
	mine(() => call('core_table_has_tables'));
};

/** Whatever is judged, these are there; what a chunk that has come needs is all of what problems need. */
let prepared: Promise<void> | null = null;
const ready = (o: Opened): Promise<void> => prepared ??= (async () => {
	mine(() => prepare(o));
	await tables(o, false);
})();

/** A chunk that has come. */
export const judge = async (o: Opened, p: Part): Promise<void> => {
	await ready(o);
	put(p, await read(o, p, needed(p, false)), false);
};

/** A metric of the user, as the core takes it. */
export interface MetricOf {
	name: string;
	words: string;
	bad: string;
	propagate: string;
	/** What else its values depend on. */
	also: string;
}

let metrics: MetricOf[] = [];
let n_problems = 0;
let shown = 0;

/** Of the metric that was judged last. */
export const metricName = (): string => metrics[shown - n_problems]?.name ?? '';

/** What metrics there are now, numbered behind the problem types; what is wrong with each. Those before the first that is
 *  another one stay as they are. */
calls.set('judge.metrics', async (now: MetricOf[]): Promise<string[]> => {
	const o = await run();
	await ready(o);
	let same = 0;
	while (same < metrics.length && JSON.stringify(metrics[same]) === JSON.stringify(now[same])) same++;
	return mine(() => {
		if (!call('core_metrics_cut', same)) throw failed();
		const faults = metrics.slice(0, same).map(() => '');
		metrics = now;
		for (const m of now.slice(same))
			faults.push(withTexts([m.name, m.words, m.propagate, m.bad], (...at) => call('core_metric', ...at)) === 0 ? '' : why());
		return faults;
	});
});

interface Pass {
	o: Opened;
	problems: number[];
	/** Chunks that must be read, the one that is being read first. */
	of: Part[];
	ahead: Promise<[Block, Bytes][]> | null;
	n_judged: number;
	n_all: number;
}

let pass: Pass | null = null;
const step_ms = 40;
const grains = (p: Part): number => p.rows[rows_grain] ?? 0;

const ask = (s: Pass): void => {
	const p = s.of[0];
	const blocks = p ? needed(p, true) : [];
	// what is measured but left out of the file is no value that is missing
	s.ahead = p && isHere(p) && blocks.every((b) => b.state !== state_left_out) ? read(s.o, p, blocks) : null;
	s.ahead?.catch(() => undefined);
};

const told = (s: Pass): Judged => {
	const is_done = s.of.length === 0;
	if (is_done && pass === s) {
		pass = null;
		if (!call('core_threshold_end')) throw failed();
	}
	return { n_judged: s.n_judged, n_all: s.n_all, counts: s.problems.map((k) => call('core_count', k)), lacking: s.problems.map((k) => call('core_lacking', k)), is_done };
};

/** Begins to judge by thresholds: NaN only prepares that, null takes the file's own again. What needs no reading is done at once;
 *  judge.step goes on. A newer pass ends this one. */
calls.set('judge', async (by: [number, number | null][]): Promise<Judged> => {
	const o = await run();
	await ready(o);
	pass = null;
	call('core_threshold_begin');
	n_problems = list(o.container.index['problems']).length;
	for (const [k, value] of by) {
		// thresholds of problem types are in expressions, too
		if (k < n_problems) {
			if (!Number.isNaN(value)) mine(() => call('core_table_threshold', k, value ?? number(fields(list(o.container.index['problems'])[k])['threshold']) ?? NaN));
		} else if (value !== null) {
			await tiers.are_here;
			shown = k;
		}
		if (value !== null) call('core_threshold_set', k, value);
		else if (!call('core_threshold_reset', k)) throw failed();
	}
	await tables(o, true);
	const chunks = o.parts.filter((p) => p.kind === part_kind.chunk);
	const s: Pass = { o, problems: by.map(([k]) => k), of: [], ahead: null, n_judged: 0, n_all: 0 };
	pass = s;
	if (by.some(([, value]) => value !== null))
		for (const p of chunks) {
			s.n_all += grains(p);
			if (call('core_threshold_reuse', p.number)) s.n_judged += grains(p);
			else s.of.push(p);
		}
	ask(s);
	return told(s);
});

calls.set('judge.step', async (): Promise<Judged> => {
	const s = pass;
	if (!s) throw new Error('nothing is being judged');
	const until = performance.now() + step_ms;
	do {
		const p = s.of[0];
		if (!p) break;
		let blocks: [Block, Bytes][] | null = null;
		try {
			blocks = await s.ahead;
		} catch (error) {
			postMessage({ id: 0, trouble: error instanceof Error ? error.message : String(error) });
		}
		if (pass !== s) return told(s);
		s.of.shift();
		ask(s);
		if (blocks) put(p, blocks, true);
		else mine(() => must(call('core_threshold_chunk_missing', p.number)));
		s.n_judged += grains(p);
	} while (performance.now() < until);
	return told(s);
});
