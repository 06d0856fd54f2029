// SPDX-License-Identifier: MIT
// Small charts, as SVG of a few elements.

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
