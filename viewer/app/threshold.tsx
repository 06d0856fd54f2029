// SPDX-License-Identifier: MIT
// Where values of a problem type become problems: a slider, with what it would flag. It moves what the address says;
// judging.ts has it judged.
import { useEffect } from 'preact/hooks';
import { faults, judge_trouble, moveMetric, open_run, prepareFor, progress, shownMetric, thresholdOf, verdicts, type Shown } from './judging.ts';
import { get, put, type Run } from './state.ts';
import { fields, flag, list, number, text } from './json.ts';
import { count, percent, ratio, time } from './units.ts';
import { all_problems } from '../core/page.ts';

/** Two decades to each side, in steps that feel even. */
const toSlider = (value: number, normal: number): number => Math.round(100 * Math.log10(value / normal));
const fromSlider = (at: number, normal: number): number => Number((normal * 10 ** (at / 100)).toPrecision(3));

export const Slider = ({ id, value, normal, shown, label, move }: { id?: string; value: number; normal: number; shown: string; label?: string; move: (to: number) => void }) =>
	<input id={id} type="range" min={-200} max={200} value={toSlider(value, normal)} aria-label={label} aria-valuetext={shown} onInput={(e) => move(fromSlider(Number(e.currentTarget.value), normal))} />;

/** What could not be judged by a threshold that has moved. */
export const lacking = (n: number): string => n > 0 ? `${count(n)} grains are not in this file, and not evaluated for this threshold` : '';

/** How far judging is; nothing where it is not judged. */
export const Judging = () => <>
	{progress.value !== null && <progress value={progress.value} aria-label="grains judged" />}
	{judge_trouble.value && <span class="bad">{judge_trouble.value}</span>}
</>;

/** What the slider of a metric began with, by its name. */
const begun = new Map<string, number>();

const OfMetric = ({ run, m }: { run: Run; m: Shown }) => {
	const v = verdicts.value.get(m.slot);
	const fault = faults.value[m.at] ?? '';
	const normal = begun.get(m.name) ?? m.value;
	if (m.value > 0) begun.set(m.name, normal);
	return (
		<div class="threshold-bar">
			<label for="threshold">{`flag ${m.name} ${m.bad === 'low' ? 'below' : 'over'}`}</label>
			{normal > 0 && <Slider id="threshold" value={m.value} normal={normal} shown={m.threshold} move={(to) => moveMetric(m, to)} />}
			<output id="threshold-value" for="threshold">{m.threshold}</output>
			<span id="threshold-count" class="faint">{fault ? '' : v ? `${count(v.n)} grains, ${percent(v.n, number(run.report.graph['grains']))}` : '...'}</span>
			{fault && <span class="bad">{fault}</span>}
			<Judging />
			{v && v.n_lacking > 0 && <span id="threshold-lacking" class="bad">{lacking(v.n_lacking)}</span>}
		</div>
	);
};

export const Threshold = ({ run }: { run: Run }) => {
	const m = shownMetric(run);
	return m ? <OfMetric run={run} m={m} /> : <OfProblem run={run} />;
};

const OfProblem = ({ run }: { run: Run }) => {
	const problem = Number(get('problem') || all_problems);
	const p = fields(list(run.container.index['problems'])[problem]);
	const { given: normal, value } = thresholdOf(run, problem);
	const can_move = normal > 0;
	useEffect(() => { if (can_move) prepareFor([problem]); }, [open_run.value, problem, can_move]);
	if (!can_move) return null;
	const unit = text(fields(list(run.container.index['columns']).find((c) => text(fields(c)['name']) === text(p['column'])))['unit']);
	const label = (v: number): string => unit === 'ns' ? time(v) : ratio(v);
	const v = verdicts.value.get(problem);
	const n = v?.n ?? number(p['count']);
	const move = (to: number): void => put({ [`over${problem}`]: to === normal ? null : to });
	return (
		<div class="threshold-bar">
			<label for="threshold">{`flag ${text(p['column'])} ${flag(p['is_below']) ? 'below' : 'over'}`}</label>
			<Slider id="threshold" value={value} normal={normal} shown={label(value)} move={move} />
			<output id="threshold-value" for="threshold">{label(value)}</output>
			<span id="threshold-count" class="faint">{`${count(n)} grains, ${percent(n, number(run.report.graph['grains']))}`}</span>
			{value !== normal && <button type="button" onClick={() => move(normal)}>{`Back to ${label(normal)}`}</button>}
			<Judging />
			{v && v.n_lacking > 0 && <span id="threshold-lacking" class="bad">{lacking(v.n_lacking)}</span>}
		</div>
	);
};
