// SPDX-License-Identifier: MIT
// The first ten seconds: what is worst, where, what to try; then the picture; then all else the report says.
import { copy, Detail } from './detail.tsx';
import { Findings } from './findings.tsx';
import { Profile } from './charts.tsx';
import { cores as coresOf, profile } from './index.ts';
import { number, type Fields } from './json.ts';
import { isAt, type Report, type Site } from './report.ts';
import { Outline } from './outline.tsx';
import { idOf, told } from './facts.ts';
import { chosen, is_outline_open, Picture, stage } from './picture.tsx';
import { RelatedList } from './related.tsx';
import { sidesOf } from './comparison.tsx';
import { Timeline } from './timeline.tsx';
import { Sortable, type Column } from './sortable.tsx';
import { finding, link, type Run } from './state.ts';
import { count, percent, ratio, time } from './units.ts';
import { problemTitle } from './words.ts';

const ns = (o: Fields, key: string): number => number(o[key]) ?? 0;

const Parallelism = ({ report }: { report: Report }) => {
	const t = report.totals;
	const rows: [string, string, string][] = [
		['work', time(number(t['work_ns'])), 'total work of all threads'],
		['span', time(number(t['span_ns'])), 'work on the longest path, which has to run in order'],
		['work / span', ratio(number(t['parallelism'])), 'average parallelism'],
		['with creation overhead', ratio(number(t['parallelism_burdened'])), 'average parallelism'],
		['time at least', time(number(t['best_case_ns'])), `on ${report.threads} threads with these grains`],
	];
	return (
		<section aria-labelledby="parallelism-title">
			<h2 id="parallelism-title" title="How much of the work could run at a time">Parallelism</h2>
			<table class="facts wide">
				<tbody>{rows.filter(([, value]) => value !== '-').map(([name, value, what]) => <tr><th scope="row">{name}</th><td>{value}</td><td class="text">{what}</td></tr>)}</tbody>
			</table>
		</section>
	);
};

const worstOf = (report: Report, s: Site): string => {
	const f = report.findings.find((x) => isAt(x.place, s.place));
	if (f) return f.title;
	let worst = '';
	let n = 0;
	for (const [type, k] of s.problems) if ((k ?? 0) > n) { n = k ?? 0; worst = type; }
	return n > 0 ? `${problemTitle(worst)}: ${percent(n, s.grains)}` : '';
};

const toSource = (s: Site) => s.place.line === null ? s.place.label : <a {...link({ page: 'source', file: s.place.file, line: s.place.line })}>{s.place.label}</a>;

export const Places = ({ report, most }: { report: Report; most: number }) => {
	const whole = number(report.totals['work_ns']);
	const each = (s: Site): number | null => s.creation_ns === null || s.kind === 'implicit' ? null : s.creation_ns / Math.max(1, s.grains);
	const columns: Column<Site>[] = [
		{ title: 'place', text: toSource, value: (s) => s.place.label, is_head: true }, { title: 'problem', text: (s) => worstOf(report, s), value: (s) => worstOf(report, s) },
		{ title: 'function', text: (s) => s.place.func, value: (s) => s.place.func }, { title: 'kind', text: (s) => s.kind, value: (s) => s.kind },
		{ title: 'grains', text: (s) => count(s.grains), value: (s) => s.grains }, { title: 'work', text: (s) => time(s.work_ns), value: (s) => s.work_ns },
		{ title: 'of all work', text: (s) => percent(s.work_ns, whole), value: (s) => s.work_ns }, { title: 'median work', text: (s) => time(s.median_ns), value: (s) => s.median_ns },
		{ title: 'creation, each', what: 'task creation or loop scheduling, mean', text: (s) => { const ns = each(s); return ns === null ? '' : time(ns); }, value: (s) => each(s) ?? -1 },
	];
	return (
		<section class="full" aria-labelledby="places-title">
			<h2 id="places-title" title="Tasks and loops by the line that creates them; a click on a column sorts">Places in the source, most costly first</h2>
			<Sortable id="places" label="places in the source" columns={columns} rows={report.sites} most={most} />
		</section>
	);
};

const Unknown = ({ report }: { report: Report }) => {
	const told = report.notes.filter((n) => n.level !== 'not_measured');
	const silent = report.notes.filter((n) => n.level === 'not_measured');
	return (
		<section class="full" aria-labelledby="unknown-title">
			<h2 id="unknown-title" title="What the runtime or the compiler does not report, and what was not measured">Limitations of this recording</h2>
			<ul class="notes">
				{told.map((n) => <li><b>{n.construct}{n.place && ` at ${n.place}`}</b>: {n.note}</li>)}
				{silent.length > 0 && <li><b>not measured</b>: {silent.map((n) => problemTitle(n.construct)).join(', ')}</li>}
				{report.notes.length === 0 && <li>nothing that was looked for</li>}
			</ul>
		</section>
	);
};

export const ProfileOf = ({ run, height }: { run: Run; height: number }) => {
	const p = profile(run.container.index);
	if (!p) return null;
	const cores = coresOf(run.container.index, run.report);
	return (
		<section class="full" aria-labelledby="profile-title">
			<h2 id="profile-title" title="Over the time of an ideal run, with as many CPUs as it can use">Grains that could run at a time <small>if each started as early as the graph allows <span class="key least" /> least <span class="key mean" /> mean <span class="key most" /> most</small></h2>
			<Profile bin_ns={p.bin_ns} low={p.low} mean={p.mean} high={p.high} cores={cores} label="Grains that could run at a time" height={height} />
		</section>
	);
};

/** The node that is selected in the picture. */
const Chosen = () => {
	const facts = told(chosen.value);
	const id = idOf(chosen.value);
	if (facts.length === 0) return null;
	return (
		<section class="chosen" aria-labelledby="chosen-title">
			<h2 id="chosen-title" title="The grain or group that is selected in a picture">Selected <button type="button" class="close" aria-label="select nothing" title="Select nothing (Escape)" onClick={() => void stage.value?.select(null)}>{'\u00d7'}</button></h2>
			<table class="facts" id="node-facts"><tbody>{facts.map(([name, value]) => <tr><th scope="row">{name}</th><td>{value}</td></tr>)}</tbody></table>
			<RelatedList />
			{id && <p class="buttons"><button type="button" id="copy-id" title={`for winnow tree FILE ${id}`} onClick={() => copy(id)}>Copy id</button></p>}
		</section>
	);
};

export const Overview = ({ run }: { run: Run }) => {
	const { report } = run;
	const f = report.findings[finding.value] ?? report.near[finding.value];
	return (
		<div class="overview">
			<div class="first">
				<Findings report={report} />
				<div class="middle">
					<Timeline run={run} height={Math.round(Math.max(sidesOf(run) ? 240 : 200, innerHeight * 0.22))} is_page={false} />
					<Picture run={run} />
				</div>
				<div class="side">
					<Chosen />
					{f && <Detail run={run} f={f} />}
				</div>
			</div>
			<div class="rest">
				<ProfileOf run={run} height={130} />
				<Parallelism report={report} />
				<Places report={report} most={12} />
				{is_outline_open.value && <Outline run={run} />}
				<Unknown report={report} />
			</div>
		</div>
	);
};
