// SPDX-License-Identifier: MIT
// Small charts, as SVG of a few elements.
import { ticks } from './units.ts';

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

export const Histogram = ({ bins, threshold, is_bad_below, label, title }: HistogramProps) => {
	const height = 84;
	const base = height - 18;
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
			<text x={0} y={height - 5}>{label(first.from)}</text>
			<text x={width} y={height - 5} text-anchor="end">{label(last.to)}</text>
		</svg>
	);
};

interface ProfileProps {
	/** Values of equal bins of time. */
	low: number[];
	mean: number[];
	high: number[];
	/** The cores there are. */
	line: number;
	end: string;
	height: number;
	title: string;
}

/** At most this many points on the way: neighbours are folded, extremes kept. */
const most_points = 480;

const fold = (values: number[], how: 'min' | 'max' | 'mean'): number[] => {
	const per = Math.ceil(values.length / most_points);
	if (per <= 1) return values;
	const out: number[] = [];
	for (let i = 0; i < values.length; i += per) {
		const part = values.slice(i, i + per).filter((v) => !Number.isNaN(v));
		out.push(part.length === 0 ? NaN : how === 'mean' ? part.reduce((a, b) => a + b, 0) / part.length : Math[how](...part));
	}
	return out;
};

export const Profile = ({ low, mean, high, line, end, height, title }: ProfileProps) => {
	const w = 960;
	const base = height - 16;
	const left = 28;
	const all = { low: fold(low, 'min'), mean: fold(mean, 'mean'), high: fold(high, 'max') };
	const most = Math.max(line * 1.15, ...all.high, ...all.mean.filter((v) => !Number.isNaN(v)));
	const x = (i: number, n: number): number => left + i / Math.max(1, n) * (w - left);
	const y = (v: number): number => base - (Number.isNaN(v) ? 0 : v) / most * (base - 8);
	const steps = (values: number[]): string => values.map((v, i) => `${x(i, values.length).toFixed(1)} ${y(v).toFixed(1)}L${x(i + 1, values.length).toFixed(1)} ${y(v).toFixed(1)}`).join('L');
	const back = [...all.low].reverse();
	const band = `M${steps(all.high)}L${back.map((v, i) => `${x(back.length - i, back.length).toFixed(1)} ${y(v).toFixed(1)}L${x(back.length - i - 1, back.length).toFixed(1)} ${y(v).toFixed(1)}`).join('L')}Z`;
	return (
		<svg class="profile" viewBox={`0 0 ${w} ${height}`} role="img" aria-label={title}>
			{ticks(most, 3).map((v) => <>
				<line x1={left} x2={w} y1={y(v)} y2={y(v)} class="grid" />
				<text x={left - 4} y={y(v) + 3} text-anchor="end">{v}</text>
			</>)}
			{all.high.length > 0 && <path d={band} class="band" />}
			<path d={`M${x(0, 1)} ${base}L${steps(all.mean)}L${w} ${base}Z`} class="area" />
			<line x1={left} x2={w} y1={y(line)} y2={y(line)} class="threshold" />
			<text x={left + 3} y={y(line) - 3} class="strong">{`${line} cores`}</text>
			<text x={left} y={height - 4}>0</text>
			<text x={w} y={height - 4} text-anchor="end">{end}</text>
		</svg>
	);
};
