// SPDX-License-Identifier: MIT
// Thresholds that the address moves, held against all grains by the core: what is asked for last is what is judged.
import { effect, signal } from '@preact/signals';
import { fields, list, number } from './json.ts';
import { numberOf, parse, format, type Definition, type Definitions } from './pages/definitions.ts';
import { get, put, run as current, type Run } from './state.ts';
import type { Judged, MetricOf } from './worker/threshold.ts';

export interface Verdict {
	n: number;
	/** Grains that could not be judged, as they are not in the file. */
	n_lacking: number;
}

/** Of problems whose threshold has moved. */
export const verdicts = signal<ReadonlyMap<number, Verdict>>(new Map());
/** How much of a pass is done; null: there is none. */
export const progress = signal<number | null>(null);
export const judge_trouble = signal('');
/** The run that can be judged: its core is open. */
export const open_run = signal<Run | null>(null);

/** What is wrong with metrics, in their order. */
export const faults = signal<string[]>([]);

/** The metrics and thresholds that the address has. */
export const definitions = (): Definitions => {
	try { return parse(get('metrics')); } catch { return { metrics: [], thresholds: [] }; /* what cannot be read is not there */ }
};

/** The most problem types and metrics that pictures can show. */
const most_shown = 32;
const n_problems = (r: Run): number => list(r.container.index['problems']).length;

export interface Shown extends Definition {
	/** Its number among what pictures show. */
	slot: number;
	at: number;
	/** From where on it is a problem. */
	value: number;
}

/** Metrics that flag something: pictures show them like problem types, whose numbers theirs follow. */
export const metricsOf = (r: Run): Shown[] => definitions().metrics
	.map((m, at) => ({ ...m, at, slot: n_problems(r) + at, value: m.bad === 'none' || m.threshold === '' ? NaN : numberOf(m.threshold) }))
	.filter((m) => !Number.isNaN(m.value) && m.slot < most_shown);

/** The metric that pictures show, if it is one. */
export const shownMetric = (r: Run): Shown | undefined => metricsOf(r).find((m) => String(m.slot) === get('problem'));

/** The threshold of a metric, as the slider has moved it. */
export const moveMetric = (m: Shown, to: number): void => {
	const d = definitions();
	put({ metrics: format({ ...d, metrics: d.metrics.map((x, i) => (i === m.at ? { ...x, threshold: String(to) } : x)) }) });
};

let told = (): void => undefined;
/** Called when pictures show something else. */
export const onJudged = (f: () => void): void => { told = f; };

/** By problem: the threshold it has, or shall have; null: the file's own. NaN: it may move soon. */
let asked = new Map<number, number | null>();
let wanted = new Map<number, number | null>();
let metrics: MetricOf[] = [];
let has_new_metrics = false;
let n_asked = 0;
let is_busy = false;

const work = async (r: Run): Promise<void> => {
	is_busy = true;
	try {
		while (wanted.size > 0 && current.value?.core === r.core) {
			const own = n_asked, now = [...wanted];
			if (has_new_metrics) {
				has_new_metrics = false;
				faults.value = await r.core.call<string[]>('judge.metrics', metrics);
			}
			if (own !== n_asked) continue;
			let j = await r.core.call<Judged>('judge', now);
			while (!j.is_done && own === n_asked) {
				progress.value = j.n_judged / j.n_all;
				j = await r.core.call<Judged>('judge.step');
			}
			if (own !== n_asked) continue;
			wanted = new Map();
			progress.value = null;
			if (now.every(([, value]) => Number.isNaN(value))) continue;
			const next = new Map(verdicts.peek());
			now.forEach(([k, value], i) => {
				if (value === null) next.delete(k);
				else if (!Number.isNaN(value)) next.set(k, { n: j.counts[i] ?? NaN, n_lacking: j.lacking[i] ?? NaN });
			});
			verdicts.value = next;
			judge_trouble.value = '';
			told();
		}
	} catch (error) {
		wanted = new Map();
		judge_trouble.value = error instanceof Error ? error.message : String(error);
	}
	progress.value = null;
	is_busy = false;
};

let later = 0;

const ask = (r: Run, by: [number, number | null][], wait_ms = 0): void => {
	for (const [k, value] of by)
		if (!Number.isNaN(value) || !wanted.has(k)) wanted.set(k, value);
	n_asked++;
	clearTimeout(later);
	if (is_busy) return;
	if (wait_ms > 0) later = window.setTimeout(() => { if (!is_busy) void work(r); }, wait_ms);
	else void work(r);
};

/** Thresholds of these may move soon: what is needed to judge them is made ready. */
export const prepareFor = (problems: number[]): void => {
	if (open_run.value) ask(open_run.value, problems.map((k) => [k, NaN]));
};

/** Where a problem begins: in the file, and now. */
export const thresholdOf = (r: Run, k: number): { given: number; value: number } => {
	const given = number(fields(list(r.container.index['problems'])[k])['threshold']) ?? NaN;
	const moved = Number(get(`over${k}`) || NaN);
	return { given, value: Number.isFinite(moved) ? moved : given };
};

const metrics_asked = new Map<number, number>();
let judged: Run | null = null;
effect(() => {
	const r = open_run.value;
	if (!r) return;
	if (judged?.core !== r.core) {
		judged = r;
		asked = new Map();
		wanted = new Map();
		metrics = [];
		faults.value = [];
		verdicts.value = new Map();
	}
	const by: [number, number | null][] = [];
	list(r.container.index['problems']).forEach((_, k) => {
		const { given, value } = thresholdOf(r, k);
		const now = value === given ? null : value;
		if ((asked.get(k) ?? null) !== now) by.push([k, now]);
		asked.set(k, now);
	});
	const thresholds = JSON.stringify([...asked]);
	const now = definitions().metrics.map(({ name, words, bad, propagate }): MetricOf => ({ name, words, bad, propagate, also: words.includes('problem.') ? thresholds : '' }));
	const is_other = JSON.stringify(now) !== JSON.stringify(metrics);
	const shown = shownMetric(r);
	if (is_other) {
		metrics = now;
		has_new_metrics = true;
		metrics_asked.clear();
		verdicts.value = new Map([...verdicts.peek()].filter(([k]) => k < n_problems(r)));
	}
	if (shown && metrics_asked.get(shown.slot) !== shown.value) {
		by.push([shown.slot, shown.value]);
		metrics_asked.set(shown.slot, shown.value);
	}
	if (by.length === 0) return;
	// a word is typed to its end
	ask(r, by, is_other ? 150 : 0);
});
