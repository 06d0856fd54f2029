// SPDX-License-Identifier: MIT
// Thresholds that the address moves, held against all grains by the core: what is asked for last is what is judged.
import { effect, signal } from '@preact/signals';
import { fields, list, number } from './json.ts';
import { get, run as current, type Run } from './state.ts';
import type { Judged } from './worker/judge.ts';

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

let told = (): void => undefined;
/** Called when pictures show something else. */
export const onJudged = (f: () => void): void => { told = f; };

/** By problem: the threshold it has, or shall have; null: the file's own. NaN: it may move soon. */
let asked = new Map<number, number | null>();
let wanted = new Map<number, number | null>();
let n_asked = 0;
let is_busy = false;

const work = async (r: Run): Promise<void> => {
	is_busy = true;
	try {
		while (wanted.size > 0 && current.value?.core === r.core) {
			const own = n_asked, now = [...wanted];
			let j = await r.core.call<Judged>('judge', now);
			while (!j.is_done && own === n_asked) {
				progress.value = j.n_judged / j.n_all;
				j = await r.core.call<Judged>('judge.step');
			}
			if (own !== n_asked) continue;
			wanted = new Map();
			progress.value = null;
			if (now.every(([, value]) => Number.isNaN(value))) continue;
			const next = new Map(verdicts.value);
			now.forEach(([k, value], i) => {
				if (value === null) next.delete(k);
				else if (!Number.isNaN(value)) next.set(k, { n: j.counts[i] ?? NaN, n_lacking: j.n_lacking });
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

const ask = (r: Run, by: [number, number | null][]): void => {
	for (const [k, value] of by)
		if (!Number.isNaN(value) || !wanted.has(k)) wanted.set(k, value);
	n_asked++;
	if (!is_busy) void work(r);
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

let judged: Run | null = null;
effect(() => {
	const r = open_run.value;
	if (!r) return;
	if (judged?.core !== r.core) {
		judged = r;
		asked = new Map();
		wanted = new Map();
		verdicts.value = new Map();
	}
	const by: [number, number | null][] = [];
	list(r.container.index['problems']).forEach((_, k) => {
		const { given, value } = thresholdOf(r, k);
		const now = value === given ? null : value;
		if ((asked.get(k) ?? null) !== now) by.push([k, now]);
		asked.set(k, now);
	});
	if (by.length > 0) ask(r, by);
});
