// SPDX-License-Identifier: MIT
// How many grains ran at a time, and how long how many: over the whole run, or a range that is chosen here.
import { useRef, useState } from 'preact/hooks';
import { profile, type ProfileBins } from '../index.ts';
import { number } from '../json.ts';
import { link, put, say, type Run } from '../state.ts';
import { percent, ratio, ticks, time } from '../units.ts';
import { chosenRange, put_range, rangeText, useWidth, whereOf, type Range } from './common.tsx';

const height = 300;
const left = 44;
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
	p: ProfileBins;
	cores: number;
	range: Range | null;
}

const Chart = ({ p, cores, range }: ChartProps) => {
	const { ref, width } = useWidth<HTMLDivElement>(960);
	const svg = useRef<SVGSVGElement>(null);
	const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
	const end = p.bin_ns * p.mean.length;
	const plot = width - left - right;
	const base = height - bottom;
	const n = Math.max(60, Math.floor(plot / 2));
	const all = { low: fold(p.low, n, 'min'), mean: fold(p.mean, n, 'mean'), high: fold(p.high, n, 'max') };
	const per = Math.max(1, Math.ceil(p.mean.length / n)) * p.bin_ns;
	const most = Math.max(cores * 1.1, ...all.high, ...all.mean);
	const x = (ns: number): number => left + Math.min(end, ns) / end * plot;
	const y = (v: number): number => base - v / most * (base - top);
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
	return (
		<div class="chart" ref={ref}>
			<svg ref={svg} width={width} height={height} role="img"
				aria-label={`Grains that ran at a time, over ${time(end)}, on ${cores} cores`}
				onPointerDown={(e) => { if (e.button !== 0) return; svg.current?.setPointerCapture(e.pointerId); setDrag({ from: at(e), to: at(e) }); }}
				onPointerMove={(e) => { if (drag) setDrag({ from: drag.from, to: at(e) }); }}
				onPointerUp={finish} onPointerCancel={() => setDrag(null)}>
				{ticks(most, 5).map((v) => <>
					<line x1={left} x2={width - right} y1={y(v)} y2={y(v)} class="grid" />
					<text x={left - 6} y={y(v) + 3.5} text-anchor="end">{v}</text>
				</>)}
				<path d={area(all.high)} class="most" /><path d={area(all.mean)} class="mean" /><path d={area(all.low)} class="least" />
				<line x1={left} x2={width - right} y1={y(cores)} y2={y(cores)} class="threshold" />
				<text x={width - right} y={y(cores) - 5} text-anchor="end" class="strong">{`${cores} cores`}</text>
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
			{range && <a class="button" {...link({ page: 'grains', where: whereOf(range) })}>Grains of this range</a>}
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

const Told = ({ p, cores, range }: ChartProps) => {
	const n = p.mean.length;
	const first = range ? Math.min(n - 1, Math.floor(range.from / p.bin_ns)) : 0;
	const last = range ? Math.max(first + 1, Math.min(n, Math.ceil(range.to / p.bin_ns))) : n;
	const known = (values: number[]): number[] => values.slice(first, last).filter((v) => !Number.isNaN(v));
	const mean = known(p.mean);
	const low = known(p.low);
	const high = known(p.high);
	const duration = mean.length * p.bin_ns;
	const idle = mean.reduce((all, v) => all + Math.max(0, cores - v), 0) * p.bin_ns;
	const rows: [string, string, string][] = [
		['time', time(duration), range ? `in bins of ${time(p.bin_ns)}` : `${n} bins of ${time(p.bin_ns)}`],
		['mean', ratio(mean.length > 0 ? mean.reduce((a, b) => a + b, 0) / mean.length : null), 'grains at a time'],
		['least', ratio(low.length > 0 ? Math.min(...low) : null), ''], ['most', ratio(high.length > 0 ? Math.max(...high) : null), ''],
		['cores without a grain', time(idle), `${percent(idle, cores * duration)} of ${cores} cores x ${time(duration)}`],
	];
	const by = levels(mean, p.bin_ns, cores);
	return (
		<div class="told">
			<section aria-labelledby="told-title">
				<h2 id="told-title">{range ? rangeText(range) : 'The whole run'}</h2>
				<table class="facts wide" id="told"><tbody>{rows.map(([k, v, what]) => <tr><th scope="row">{k}</th><td>{v}</td><td class="text">{what}</td></tr>)}</tbody></table>
			</section>
			<section aria-labelledby="levels-title">
				<h2 id="levels-title">How long how many ran <small>by the mean of each bin</small></h2>
				<table class="bars" id="levels">
					<thead><tr><th scope="col">grains at a time</th><th scope="col" class="n">share</th><th scope="col" class="n">time</th><td /></tr></thead>
					<tbody>
						{by.map((l) => (
							<tr>
								<th scope="row">{l.name}</th><td>{percent(l.ns, duration)}</td><td>{time(l.ns)}</td>
								<td class="bar" aria-hidden="true"><svg viewBox="0 0 100 10" preserveAspectRatio="none"><rect class={l.is_bad ? 'bad' : 'good'} width={duration > 0 ? 100 * l.ns / duration : 0} height={10} /></svg></td>
							</tr>
						))}
					</tbody>
				</table>
			</section>
		</div>
	);
};

export const Parallelism = ({ run }: { run: Run }) => {
	const p = profile(run.container.index);
	if (!p || !(p.bin_ns > 0)) return <div class="page-empty"><p>How many grains ran at a time is not known: their begins and ends were not measured.</p></div>;
	const cores = number(run.report.totals['cpus_used']) ?? run.report.threads;
	const end = p.bin_ns * p.mean.length;
	const range = chosenRange(end);
	return (
		<div class="wide-page parallelism-page">
			<h2 id="profile-title">Grains that ran at a time <small><span class="key least" /> least <span class="key mean" /> mean <span class="key most" /> most; drag to choose a range</small></h2>
			<Chart p={p} cores={cores} range={range} />
			<Ends end={end} range={range} />
			<Told p={p} cores={cores} range={range} />
		</div>
	);
};
