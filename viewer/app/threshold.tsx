// SPDX-License-Identifier: MIT
// Where values of a problem type become problems: a slider, with what it would flag. Everything is judged again
// by the core, and nothing is kept but in the address.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { stage } from './picture.tsx';
import { get, put, run as current, type Run } from './state.ts';
import { fields, flag, list, number, text } from './json.ts';
import { count, percent, ratio, time } from './units.ts';
import { all_problems } from '../core/page.ts';

const flagged = signal<ReadonlyMap<number, number>>(new Map());
const trouble = signal('');
let next: { problem: number; value: number } | null = null;
let is_busy = false;

/** Only the last value that was asked for is judged. */
const judge = async (r: Run, problem: number, value: number): Promise<void> => {
	next = { problem, value };
	if (is_busy) return;
	is_busy = true;
	try {
		while (next !== null) {
			const asked: { problem: number; value: number } = next;
			next = null;
			const n = await r.core.threshold(asked.problem, asked.value);
			flagged.value = new Map([...flagged.value, [asked.problem, n]]);
			stage.value?.ask(false);
		}
		trouble.value = '';
	} catch (error) {
		trouble.value = error instanceof Error ? error.message : String(error);
	}
	is_busy = false;
};

const key = (problem: number): string => `over${problem}`;

/** Thresholds that an address brings. */
export const restoreThresholds = (r: Run): void => {
	flagged.value = new Map();
	list(r.container.index['problems']).forEach((_, i) => {
		const value = Number(get(key(i)) || NaN);
		if (Number.isFinite(value)) void judge(r, i, value);
	});
};

/** Two decades to each side, in steps that feel even. */
const toSlider = (value: number, normal: number): number => Math.round(100 * Math.log10(value / normal));
const fromSlider = (at: number, normal: number): number => Number((normal * 10 ** (at / 100)).toPrecision(3));

export const Threshold = ({ run }: { run: Run }) => {
	const problem = Number(get('problem') || all_problems);
	const p = fields(list(run.container.index['problems'])[problem]);
	const normal = number(p['threshold']);
	useEffect(() => { if (current.value) restoreThresholds(current.value); }, [run]);
	if (problem === all_problems || normal === null || normal <= 0) return null;
	const value = Number(get(key(problem)) || normal);
	const unit = text(fields(list(run.container.index['columns']).find((c) => text(fields(c)['name']) === text(p['column'])))['unit']);
	const shown = unit === 'ns' ? time(value) : ratio(value);
	const n = flagged.value.get(problem) ?? number(p['count']);
	const move = (to: number): void => {
		put({ [key(problem)]: to === normal ? null : to });
		void judge(run, problem, to);
	};
	return (
		<div class="threshold-bar">
			<label for="threshold">{`flag ${text(p['column'])} ${flag(p['is_below']) ? 'below' : 'over'}`}</label>
			<input id="threshold" type="range" min={-200} max={200} value={toSlider(value, normal)} aria-valuetext={shown} onInput={(e) => move(fromSlider(Number(e.currentTarget.value), normal))} />
			<output id="threshold-value" for="threshold">{shown}</output>
			<span id="threshold-count" class="faint">{count(n)} grains, {percent(n, number(run.report.graph['grains']))}</span>
			{value !== normal && <button type="button" onClick={() => move(normal)}>{`Back to ${unit === 'ns' ? time(normal) : ratio(normal)}`}</button>}
			{trouble.value && <span class="bad">{trouble.value}</span>}
		</div>
	);
};
