// SPDX-License-Identifier: MIT
// Predicted times, over threads and over the value of the first finding's change. The pictures are those of winnow predict; a slider
// reads the values that were simulated.
import { useState } from 'preact/hooks';
import { fields, list, number, numbers, text, type Json } from '../json.ts';
import { put, type Run } from '../state.ts';
import { count, ratio, time } from '../units.ts';

interface Point {
	value: number;
	ns: number;
	low_ns: number;
	high_ns: number;
	limit: string;
	/** Why there is no single time; empty: there is. */
	open: string;
	/** The two times of a race; empty: there is none. */
	outcomes: number[];
	extrapolated: string;
}

const points = (v: Json): Point[] => list(v).map(fields).map((o) => ({
	value: number(o['value']) ?? 0, ns: number(o['ns']) ?? 0, low_ns: number(o['low_ns']) ?? 0, high_ns: number(o['high_ns']) ?? 0,
	limit: text(o['limit']), open: text(o['open']),
	outcomes: numbers(o['outcomes']), extrapolated: text(o['extrapolated']),
}));

const Curve = ({ svg, title }: { svg: string; title: string }) =>
	svg === '' ? null : <img class="curve" alt={title} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />;

/** What a value is called: "8 threads", "depth 4". */
const named = (parameter: string, value: number): string =>
	parameter === 'threads' ? `${count(value)} ${value === 1 ? 'thread' : 'threads'}` : parameter === 'depth' ? `cut-off at depth ${count(value)}`
		: parameter === 'chunk' ? `chunks of ${count(value)}` : `${count(value)} parts`;

const Reading = ({ id, all, parameter, than_ns, start }: { id: string; all: Point[]; parameter: string; than_ns: number; start: number }) => {
	const [at, setAt] = useState(Math.max(0, all.findIndex((p) => p.value === start)));
	const p = all[Math.min(at, all.length - 1)];
	if (!p) return null;
	return (
		<div class="head">
			<input type="range" id={id} min="0" max={all.length - 1} value={at} aria-label={parameter} aria-valuetext={named(parameter, p.value)} onInput={(e) => setAt(Number(e.currentTarget.value))} />
			<output for={id}>
				<b>{named(parameter, p.value)}: {p.outcomes.length > 0 ? p.outcomes.map(time).join(' or ') : p.open ? 'unknown' : time(p.ns)}</b> ({time(p.low_ns)} to {time(p.high_ns)}{p.open && `; not known: ${p.open}`}){!p.open && than_ns > 0 && `, ${ratio(than_ns / p.ns)}x the speed ${parameter === 'threads' ? 'of 1 thread' : 'without'}`}, limited by {p.limit}{p.extrapolated && `; extrapolated: ${p.extrapolated}`}
			</output>
		</div>
	);
};

export const Predicted = ({ run }: { run: Run }) => {
	const o = fields(run.container.index['predicted']);
	const threads = points(o['threads']);
	const search = fields(o['search']);
	const values = points(search['values']);
	const parameter = text(search['parameter']);
	const at = number(search['finding']);
	const finding = at === null ? undefined : run.report.findings[at];
	if (threads.length === 0) return <p class="page-empty" id="predicted">Nothing is predicted: the run cannot be replayed, or has too many grains. winnow predict says why.</p>;
	return (
		<div class="page" id="predicted">
			<h2>Predicted time by threads</h2>
			<p class="faint">The replay of the recorded run differs from it by {(100 * (number(o['replay_error']) ?? 0)).toFixed(1)} %.</p>
			<Reading id="threads-value" all={threads} parameter="threads" than_ns={threads.find((p) => p.value === 1)?.ns ?? 0} start={run.report.threads} />
			<Curve svg={text(o['svg'])} title="predicted time by threads" />
			{finding && values.length > 0 && <>
				<h2>Predicted time by {parameter === 'depth' ? 'depth of a cut-off' : parameter === 'chunk' ? 'chunk size' : 'parts of each long task'}</h2>
				<p><a href={`#finding=${(at ?? 0) + 1}`} onClick={(e) => { e.preventDefault(); put({ finding: (at ?? 0) + 1, page: null }, true); }}>{finding.title}{finding.place.label && ` at ${finding.place.label}`}</a>: best {text(search['best'])}; without the change {time(number(search['without_ns']))}.</p>
				<Reading id="search-value" all={values} parameter={parameter} than_ns={number(search['without_ns']) ?? 0} start={values.reduce((a, b) => (b.ns < a.ns ? b : a)).value} />
				<Curve svg={text(search['svg'])} title={`predicted time by ${parameter}`} />
			</>}
		</div>
	);
};
