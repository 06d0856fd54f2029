// SPDX-License-Identifier: MIT
// Small charts, as SVG of a few elements.
import { useWidth } from './pages/common.tsx';
import { count, ratio, ticks, time } from './units.ts';

export interface Bin {
	from: number;
	to: number;
	n: number;
}

interface HistogramProps {
	bins: Bin[];
	/** Where values become a problem, and on which side. */
	threshold: number | null;
	is_bad_below: boolean;
	label: (value: number) => string;
	title: string;
}

const width = 320;

/** Bins at both ends that hold next to nothing become one each; the threshold stays between. */
const central = (all: Bin[], threshold: number | null): Bin[] => {
	const few = all.reduce((sum, b) => sum + b.n, 0) / 2000;
	let from = 0, to = all.length, n_from = 0, n_to = 0;
	while (from + 8 < to && n_from + (all[from]?.n ?? 0) <= few && (threshold === null || (all[from + 2]?.to ?? 0) < threshold)) n_from += all[from++]?.n ?? 0;
	while (from + 8 < to && n_to + (all[to - 1]?.n ?? 0) <= few && (threshold === null || (all[to - 3]?.from ?? 0) > threshold)) n_to += all[--to]?.n ?? 0;
	const out = all.slice(from, to).map((b) => ({ ...b }));
	if (out[0]) out[0].n += n_from;
	const last = out.at(-1);
	if (last) last.n += n_to;
	// a threshold beyond all values is shown, too
	if (threshold !== null && last && threshold > last.to) out.push({ from: last.to, to: threshold * 1.3, n: 0 });
	if (threshold !== null && out[0] && threshold < out[0].from) out.unshift({ from: threshold / 1.3, to: out[0].from, n: 0 });
	return out;
};

export const Histogram = ({ bins: all, threshold, is_bad_below, label, title }: HistogramProps) => {
	const bins = central(all, threshold);
	const height = 98;
	const base = height - 32;
	const most = Math.max(1, ...bins.map((b) => b.n));
	const step = width / Math.max(1, bins.length);
	const place = (value: number): number => {
		const i = bins.findIndex((b) => value < b.to);
		const b = bins[i < 0 ? bins.length - 1 : i];
		if (!b) return 0;
		const share = b.from > 0 && b.to > b.from ? Math.log(Math.max(value, b.from) / b.from) / Math.log(b.to / b.from)
			: (value - b.from) / Math.max(1e-30, b.to - b.from);
		return ((i < 0 ? bins.length - 1 : i) + Math.min(1, Math.max(0, share))) * step;
	};
	const first = bins[0];
	const last = bins.at(-1);
	if (!first || !last) return null;
	const is_bad = (b: Bin): boolean => threshold !== null && (is_bad_below ? b.to <= threshold * 1.0001 : b.from >= threshold * 0.9999);
	const at = threshold === null ? 0 : place(threshold);
	const n_bad = bins.filter(is_bad).reduce((sum, b) => sum + b.n, 0);
	const n = bins.reduce((sum, b) => sum + b.n, 0);
	return (
		<svg class="histogram" viewBox={`0 0 ${width} ${height}`} role="img"
			aria-label={`${title}: ${n} values from ${label(first.from)} to ${label(last.to)}${threshold === null ? '' : `, about ${n_bad} beyond the threshold of ${label(threshold)}`}`}>
			{bins.map((b, i) => b.n > 0 && (
				<rect x={i * step + 0.5} width={Math.max(1, step - 1)} y={base - Math.max(1, b.n / most * (base - 14))} height={Math.max(1, b.n / most * (base - 14))} class={is_bad(b) ? 'bad' : 'fine'} />
			))}
			<line x1={0} x2={width} y1={base + 0.5} y2={base + 0.5} class="axis" />
			{threshold !== null && <>
				<line x1={at} x2={at} y1={10} y2={base} class="threshold" />
				<text x={at > width / 2 ? at - 3 : at + 3} y={9} text-anchor={at > width / 2 ? 'end' : 'start'}>{`threshold ${label(threshold)}`}</text>
			</>}
			<text x={0} y={height - 19}>{label(first.from)}</text>
			<text x={width} y={height - 19} text-anchor="end">{label(last.to)}</text>
			<text x={width / 2} y={height - 5} text-anchor="middle">{title}</text>
		</svg>
	);
};

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

/** 1, 10, 100 and so on. */
const decades = (most: number): number[] => {
	const out = [0];
	for (let v = 1; v <= most; v *= 10) out.push(v);
	return out;
};

const left = 58, right = 14, top = 22, bottom = 34;

interface ProfileProps {
	bin_ns: number;
	low: number[];
	mean: number[];
	high: number[];
	/** Drawn as a line. */
	cores: number;
	label: string;
	height: number;
}

/** How many there are over time: at least, on average, at most. */
export const Profile = ({ bin_ns, low, mean, high, cores, label, height }: ProfileProps) => {
	const { ref, width } = useWidth<HTMLDivElement>(960);
	const end = bin_ns * mean.length, plot = width - left - right, base = height - bottom;
	const n = Math.max(60, Math.floor(plot / 2)), per = Math.max(1, Math.ceil(mean.length / n)) * bin_ns;
	const layers: [string, number[]][] = [['most', fold(high, n, 'max')], ['mean', fold(mean, n, 'mean')], ['least', fold(low, n, 'min')]];
	const most = layers.reduce((all, [, values]) => values.reduce((a, b) => Math.max(a, b), all), cores * 1.1);
	const is_log = most > 30 * cores;
	const x = (ns: number): number => left + Math.min(end, ns) / end * plot;
	const y = (v: number): number => base - (is_log ? Math.log1p(v) / Math.log1p(most) : v / most) * (base - top);
	const area = (values: number[]): string =>
		`M${x(0)} ${base}L${values.map((v, i) => `${x(i * per).toFixed(1)} ${y(v).toFixed(1)}L${x((i + 1) * per).toFixed(1)} ${y(v).toFixed(1)}`).join('L')}L${x(end)} ${base}Z`;
	// whole numbers, and each once
	const levels = [...new Set((is_log ? decades(most) : ticks(most, height > 200 ? 5 : 3)).map(Math.floor))].filter((v) => v === 0 || y(0) - y(v) > 12);
	return (
		<div class="chart" ref={ref}>
			<svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={`${label}, over ${time(end)}; a line at ${cores} cores`}>
				{levels.map((v) => <>
					<line x1={left} x2={width - right} y1={y(v)} y2={y(v)} class="grid" />
					<text x={left - 6} y={y(v) + 3.5} text-anchor="end">{count(v)}</text>
				</>)}
				{layers.map(([name, values]) => <path d={area(values)} class={name} />)}
				<line x1={left} x2={width - right} y1={y(cores)} y2={y(cores)} class="threshold" />
				<text x={width - right} y={y(cores) - 5} text-anchor="end" class="strong">{cores === 1 ? '1 CPU' : `${ratio(cores).replace(/\.0+$/, '')} CPUs`}</text>
				<line x1={left} x2={width - right} y1={base + 0.5} y2={base + 0.5} class="axis" />
				{ticks(end, Math.max(2, Math.floor(plot / 130))).filter((v) => v <= end).map((v) => <>
					<line x1={x(v)} x2={x(v)} y1={base} y2={base + 5} class="axis" />
					<text x={x(v)} y={base + 17} text-anchor={v === 0 ? 'start' : x(v) > width - 50 ? 'end' : 'middle'}>{v === 0 ? '0' : time(v)}</text>
				</>)}
			</svg>
		</div>
	);
};
