// SPDX-License-Identifier: MIT
// How many threads were at work, as measured, over the whole run or a range that is chosen here; and how many grains
// could have run at a time.
import { useEffect, useRef, useState } from 'preact/hooks';
import { cores as coresOf, profile, type ProfileBins } from '../index.ts';
import { link, put, say, type Run } from '../state.ts';
import { count, percent, ratio, ticks, time } from '../units.ts';
import { bins, bins_trouble, busy, loadBins } from './bins.ts';
import { chosenRange, put_range, rangeText, useWidth, whereOf, type Range } from './common.tsx';

const left = 58;
const right = 14;
const top = 22;
const bottom = 34;

/** Neighbours of the n bins that fall on one pixel become one: the least, the mean, the most. */
const fold = (values: number[], n: number, how: 'min' | 'mean' | 'max'): number[] => {
	const per = Math.max(1, Math.ceil(values.length / n));
	const out: number[] = [];
	for (let i = 0; i < values.length; i += per) {
		const part = values.slice(i, i + per).filter((v) => !Number.isNaN(v));
		out.push(part.length === 0 ? 0 : how === 'mean' ? part.reduce((a, b) => a + b, 0) / part.length : Math[how](...part));
	}
	return out;
};

interface ChartProps {
	bin_ns: number;
	low: number[] | null;
	mean: number[];
	high: number[] | null;
	/** Drawn as a line. */
	cores: number;
	/** What is counted, for those who do not see it. */
	label: string;
	height: number;
	/** What is chosen; undefined: nothing can be. */
	range?: Range | null;
}

/** 1, 10, 100 and so on. */
const decades = (most: number): number[] => {
	const out = [0];
	for (let v = 1; v <= most; v *= 10) out.push(v);
	return out;
};

export const Chart = ({ bin_ns, low, mean, high, cores, label, height, range }: ChartProps) => {
	const { ref, width } = useWidth<HTMLDivElement>(960);
	const svg = useRef<SVGSVGElement>(null);
	const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
	const end = bin_ns * mean.length;
	const plot = width - left - right;
	const base = height - bottom;
	const n = Math.max(60, Math.floor(plot / 2));
	const per = Math.max(1, Math.ceil(mean.length / n)) * bin_ns;
	const layers: [string, number[]][] = [['mean', fold(mean, n, 'mean')]];
	if (high) layers.unshift(['most', fold(high, n, 'max')]);
	if (low) layers.push(['least', fold(low, n, 'min')]);
	const most = layers.reduce((all, [, values]) => values.reduce((a, b) => Math.max(a, b), all), cores * 1.1);
	const is_log = most > 30 * cores;
	const scale = (v: number): number => is_log ? Math.log1p(v) / Math.log1p(most) : v / most;
	const x = (ns: number): number => left + Math.min(end, ns) / end * plot;
	const y = (v: number): number => base - scale(v) * (base - top);
	const area = (values: number[]): string =>
		`M${x(0)} ${base}L${values.map((v, i) => `${x(i * per).toFixed(1)} ${y(v).toFixed(1)}L${x((i + 1) * per).toFixed(1)} ${y(v).toFixed(1)}`).join('L')}L${x(end)} ${base}Z`;
	const at = (e: PointerEvent): number => {
		const box = svg.current?.getBoundingClientRect();
		return box ? Math.min(end, Math.max(0, (e.clientX - box.left - left) / plot * end)) : 0;
	};
	const shown = drag ? { from: Math.min(drag.from, drag.to), to: Math.max(drag.from, drag.to) } : range;
	const finish = (): void => {
		if (!drag || !shown) return;
		setDrag(null);
		choose(Math.abs(x(drag.to) - x(drag.from)) < 3 ? null : shown);
	};
	const brush = range === undefined ? {} : {
		onPointerDown: (e: PointerEvent): void => { if (e.button !== 0) return; svg.current?.setPointerCapture(e.pointerId); setDrag({ from: at(e), to: at(e) }); },
		onPointerMove: (e: PointerEvent): void => { if (drag) setDrag({ from: drag.from, to: at(e) }); },
		onPointerUp: finish, onPointerCancel: (): void => setDrag(null),
	};
	return (
		<div class="chart" ref={ref}>
			<svg ref={svg} class={range === undefined ? undefined : 'brushed'} width={width} height={height} role="img" aria-label={`${label}, over ${time(end)}; a line at ${cores} cores`} {...brush}>
				{(is_log ? decades(most) : ticks(most, height > 200 ? 5 : 3)).map((v) => <>
					<line x1={left} x2={width - right} y1={y(v)} y2={y(v)} class="grid" />
					<text x={left - 6} y={y(v) + 3.5} text-anchor="end">{v < 1 ? v : count(v)}</text>
				</>)}
				{layers.map(([name, values]) => <path d={area(values)} class={name} />)}
				<line x1={left} x2={width - right} y1={y(cores)} y2={y(cores)} class="threshold" />
				<text x={width - right} y={y(cores) - 5} text-anchor="end" class="strong">{cores === 1 ? '1 core' : `${cores} cores`}</text>
				<line x1={left} x2={width - right} y1={base + 0.5} y2={base + 0.5} class="axis" />
				{ticks(end, Math.max(2, Math.floor(plot / 130))).filter((v) => v <= end).map((v) => <>
					<line x1={x(v)} x2={x(v)} y1={base} y2={base + 5} class="axis" />
					<text x={x(v)} y={base + 17} text-anchor={v === 0 ? 'start' : x(v) > width - 50 ? 'end' : 'middle'}>{v === 0 ? '0' : time(v)}</text>
				</>)}
				{shown && <rect x={x(shown.from)} y={top - 8} width={Math.max(1, x(shown.to) - x(shown.from))} height={base - top + 8} class="brush" />}
			</svg>
		</div>
	);
};

const choose = (r: Range | null): void => {
	put(put_range(r));
	say(r ? `chosen: ${rangeText(r)}` : 'the whole run');
};

/** The ends of the range, by keyboard: native sliders. */
const Ends = ({ end, range }: { end: number; range: Range | null }) => {
	const shown = range ?? { from: 0, to: end };
	const slider = (label: string, value: number, put_it: (v: number) => Range) => (
		<label>{label}{' '}
			<input type="range" min={0} max={1000} step={1} value={Math.round(value / end * 1000)} aria-valuetext={time(value)}
				onInput={(e) => {
					const r = put_it(Number(e.currentTarget.value) / 1000 * end);
					if (r.from < r.to) choose(r.from <= 0 && r.to >= end ? null : r);
					else e.currentTarget.value = String(Math.round(value / end * 1000));
				}} />
			<output>{time(value)}</output>
		</label>
	);
	return (
		<p class="ends">
			{slider('from', shown.from, (v) => ({ from: v, to: shown.to }))}
			{slider('to', shown.to, (v) => ({ from: shown.from, to: v }))}
			<button type="button" disabled={!range} onClick={() => choose(null)}>Whole run</button>
			{range && <a class="button" {...link({ page: 'grains', where: whereOf(range), place: null })}>Grains of this range</a>}
			{range && <a class="button" {...link({ page: 'threads' })}>Threads in this range</a>}
		</p>
	);
};

interface Level {
	name: string;
	ns: number;
	is_bad: boolean;
}

/** How long how many ran, by the means of the bins. */
export const levels = (mean: number[], bin_ns: number, cores: number): Level[] => {
	const per = Math.max(1, Math.ceil(cores / 8));
	const n = Math.ceil(cores / per);
	const out: Level[] = [{ name: 'none', ns: 0, is_bad: true }];
	for (let i = 0; i < n; i++)
		out.push({ name: i === 0 ? `under ${Math.min(cores, per)}` : `${i * per} to ${Math.min(cores, (i + 1) * per)}`, ns: 0, is_bad: true });
	out.push({ name: `${cores} or more`, ns: 0, is_bad: false });
	for (const v of mean) {
		const level = out[!(v > 0) ? 0 : v >= cores ? n + 1 : 1 + Math.floor(v / per)];
		if (level) level.ns += bin_ns;
	}
	return out;
};

const Levels = ({ by, duration, what, id }: { by: Level[]; duration: number; what: string; id: string }) => (
	<table class="bars" id={id}>
		<thead><tr><th scope="col">{what}</th><th scope="col" class="n">share</th><th scope="col" class="n">time</th><td /></tr></thead>
		<tbody>
			{by.map((l) => (
				<tr>
					<th scope="row">{l.name}</th><td>{percent(l.ns, duration)}</td><td>{time(l.ns)}</td>
					<td class="bar" aria-hidden="true"><svg viewBox="0 0 100 10" preserveAspectRatio="none"><rect class={l.is_bad ? 'bad' : 'good'} width={duration > 0 ? 100 * l.ns / duration : 0} height={10} /></svg></td>
				</tr>
			))}
		</tbody>
	</table>
);

const Facts = ({ rows, id }: { rows: [string, string, string][]; id: string }) =>
	<table class="facts wide" id={id}><tbody>{rows.map(([k, v, what]) => <tr><th scope="row">{k}</th><td>{v}</td><td class="text">{what}</td></tr>)}</tbody></table>;

const meanOf = (values: number[]): number | null => values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length : null;

/** As it was measured: the time is that of the run, so that grains can be chosen by it. */
const Measured = ({ run, cores }: { run: Run; cores: number }) => {
	const b = bins.value;
	useEffect(() => { void loadBins(run); }, [run]);
	if (!b) return bins_trouble.value ? <p class="faint">{bins_trouble.value}</p> : null;
	const all = busy(b);
	const end = b.bin_ns * b.n_bins;
	const range = chosenRange(end);
	const first = range ? Math.min(b.n_bins - 1, Math.floor(range.from / b.bin_ns)) : 0;
	const mean = all.slice(first, range ? Math.max(first + 1, Math.min(b.n_bins, Math.ceil(range.to / b.bin_ns))) : b.n_bins);
	const duration = mean.length * b.bin_ns;
	const idle = mean.reduce((sum, v) => sum + Math.max(0, cores - v), 0) * b.bin_ns;
	return (
		<section aria-labelledby="measured-title">
			<h2 id="measured-title">Threads at work <small>as measured; each grain's work is spread evenly from its begin to its end. Drag to choose a range</small></h2>
			<Chart bin_ns={b.bin_ns} low={null} mean={all} high={null} cores={cores} label="Threads at work" height={210} range={range} />
			<Ends end={end} range={range} />
			<div class="told">
				<section aria-labelledby="told-title">
					<h3 id="told-title">{range ? rangeText(range) : 'The whole recording'}</h3>
					<Facts id="told" rows={[
						['time', time(duration), `${count(mean.length)} bins of ${time(b.bin_ns)}`], ['mean', ratio(meanOf(mean)), 'threads at work'],
						['most', ratio(mean.length > 0 ? Math.max(...mean) : null), 'in a bin'],
						['not at work', time(idle), `${percent(idle, cores * duration)} of ${cores} cores x ${time(duration)}`],
					]} />
				</section>
				<section aria-labelledby="levels-title">
					<h3 id="levels-title">How long how many were at work</h3>
					<Levels id="levels" what="threads at work" by={levels(mean, b.bin_ns, cores)} duration={duration} />
				</section>
			</div>
		</section>
	);
};

/** What the graph allows: time is the distance from its start by span, not that of the run. */
const Possible = ({ p, cores }: { p: ProfileBins; cores: number }) => {
	const duration = p.mean.length * p.bin_ns;
	return (
		<section aria-labelledby="possible-title">
			<h2 id="possible-title">Grains that could run at a time <small>if each part of them started as early as the graph allows, on any number of cores <span class="key least" /> least <span class="key mean" /> mean <span class="key most" /> most</small></h2>
			<Chart bin_ns={p.bin_ns} low={p.low} mean={p.mean} high={p.high} cores={cores} label="Grains that could run at a time" height={210} />
			<div class="told">
				<section aria-labelledby="could-title">
					<h3 id="could-title">Over the span</h3>
					<Facts id="could" rows={[
						['span', time(duration), `${count(p.mean.length)} bins of ${time(p.bin_ns)}`], ['mean', ratio(meanOf(p.mean)), 'could run at a time'],
						['least', count(p.low.reduce((a, b) => Math.min(a, b), Infinity)), ''], ['most', count(p.high.reduce((a, b) => Math.max(a, b), 0)), ''],
					]} />
					<p class="buttons"><a class="button" {...link({ page: 'grains', where: `inst_par_median < ${cores}`, place: null })}>Grains beside too few</a></p>
				</section>
				<section aria-labelledby="could-levels-title">
					<h3 id="could-levels-title">How long how many could run</h3>
					<Levels id="could-levels" what="grains at a time" by={levels(p.mean, p.bin_ns, cores)} duration={duration} />
				</section>
			</div>
		</section>
	);
};

export const Parallelism = ({ run }: { run: Run }) => {
	const p = profile(run.container.index);
	const cores = coresOf(run.container.index, run.report);
	return (
		<div class="wide-page parallelism-page">
			<Measured run={run} cores={cores} />
			{p && p.bin_ns > 0 ? <Possible p={p} cores={cores} /> : <p class="faint">How many grains could run at a time was not computed.</p>}
		</div>
	);
};
