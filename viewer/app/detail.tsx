// SPDX-License-Identifier: MIT
// One finding: what is wrong, where, why the report says so, what to try, and why that may bring less.
import { Histogram } from './charts.tsx';
import { keyOf } from './findings.tsx';
import { stage } from './picture.tsx';
import { excerptOf, findingNodes, histograms, type HistogramOf } from './index.ts';
import { fields, number } from './json.ts';
import { isAt, type Finding, type Report, type Site } from './report.ts';
import { accepted, put, say, type Run } from './state.ts';
import { count, percent, ratio, time } from './units.ts';
import { measureOf, problemTitle } from './words.ts';

/** The problem types whose values show what a rule says. */
const shown: Record<string, string[]> = {
	small_tasks: ['parallel_benefit'], small_chunks: ['parallel_benefit'],
	uneven_loop: ['chunk_work_cpu_balance', 'chunk_work_balance'], uneven_tasks: ['sibling_work_balance'],
	no_parallelism: ['instantaneous_parallelism_median'], wait_after_each_task: ['instantaneous_parallelism_median'],
	one_producer: ['instantaneous_parallelism_median'],
};

export const copy = (text: string): void => {
	const done = (): void => say(`copied ${text}`);
	if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => say('the browser did not allow copying'));
	else say('the browser did not allow copying');
};

export const Code = ({ run, f }: { run: Run; f: Finding }) => {
	const e = excerptOf(run.container.index, f.place, 3);
	if (!e) return null;
	return (
		<figure class="code">
			<pre tabIndex={0} aria-label={`source of ${f.place.label}`}>
				{e.lines.map((line, i) => (
					<span class={e.first + i === f.place.line ? 'line here' : 'line'}>
						<span class="number">{e.first + i}</span>{line}{'\n'}
					</span>
				))}
			</pre>
			{e.is_newer && <figcaption class="faint small">The file is newer than the run: lines may have moved.</figcaption>}
		</figure>
	);
};

const Row = ({ name, value, title }: { name: string; value: string; title?: string }) =>
	<tr><th scope="row" title={title}>{name}</th><td>{value}</td></tr>;

export const SiteFacts = ({ site, report }: { site: Site; report: Report }) => {
	const kinds: Record<string, string> = { chunk: 'chunks', task: 'tasks', implicit: 'implicit tasks', taskloop: 'taskloop tasks', section: 'sections' };
	const work = typeof report.totals['work_ns'] === 'number' ? report.totals['work_ns'] : null;
	return (
		<table class="facts">
			<tbody>
				<Row name={kinds[site.kind] ?? 'grains'} value={count(site.grains)} />
				<Row name="work, of all" value={`${time(site.work_ns)}, ${percent(site.work_ns, work)}`} />
				<Row name="median work" value={time(site.median_ns)} />
				<Row name="longest" value={time(site.max_ns)} />
				{site.creation_ns !== null && site.kind !== 'implicit' && <Row name={site.kind === 'chunk' ? 'loop scheduling, each' : 'task creation, each'} value={time(site.creation_ns / Math.max(1, site.grains))} />}
				<Row name="on the critical path" value={`${count(site.critical)} of ${count(site.grains)}`} />
			</tbody>
		</table>
	);
};

const histogramFor = (run: Run, f: Finding): HistogramOf | undefined => {
	const all = histograms(run.container.index);
	return (shown[f.rule] ?? []).map((type) => all.find((h) => h.type === type)).find((h) => h !== undefined && h.bins.length > 0);
};

export const Detail = ({ run, f }: { run: Run; f: Finding }) => {
	const { report } = run;
	const sites = report.sites.filter((s) => isAt(s.place, f.place));
	const site = sites.find((s) => s.kind !== 'implicit') ?? sites[0];
	const h = histogramFor(run, f);
	const node = findingNodes(run.container.index)[report.findings.indexOf(f)];
	const is_accepted = accepted.value.has(keyOf(f));
	const whole = f.of_ns;
	const conditions = report.problems.filter((p) => (shown[f.rule] ?? []).includes(p.type) && (site?.problems.get(p.type) ?? 0) > 0);
	const toggle = (): void => {
		const next = new Set(accepted.value);
		if (!next.delete(keyOf(f))) next.add(keyOf(f));
		put({ accepted: [...next].join(',') });
	};
	return (
		<section class="detail" aria-labelledby="detail-title">
			<h2 id="detail-title">{f.title}</h2>
			<p class="where">
				<b>{f.place.label || 'the whole program'}</b>{f.place.func && <> in <b>{f.place.func}</b></>}
			</p>
			<p id="detail-why">{f.why}</p>
			<div class="try">
				<p id="detail-try"><b>Try</b> {f.attempt}</p>
				<p id="detail-gain">Could save about <b>{time(f.gain_ns)}</b> of {time(whole)} ({percent(f.gain_ns, whole)}){f.speedup !== null && f.speedup > 1.005 && `: ${ratio(f.speedup)} times as fast`}. Range {time(f.low_ns)} to {time(f.high_ns)}{f.left_ns < 0.9 * f.gain_ns && `; ${time(f.left_ns)} after the changes above`}.</p>
				{number(fields(fields(run.container.index['predicted'])['search'])['finding']) === report.findings.indexOf(f) && <p id="detail-curve"><a href="#page=predicted" onClick={(e) => { e.preventDefault(); put({ page: 'predicted' }, true); }}>Predicted time over its values</a></p>}
				{f.doubt && <p id="detail-doubt" class="faint"><b>But</b> {f.doubt}</p>}
			</div>
			<Code run={run} f={f} />
			{site && <SiteFacts site={site} report={report} />}
			{h && <>
				<h3>{problemTitle(h.type)}: all grains{h.n_missing > 0 && <small>, {count(h.n_missing)} without a value</small>}</h3>
				<Histogram bins={h.bins} threshold={h.threshold} is_bad_below={h.is_bad_below} label={(v) => h.unit === 'ns' ? time(v) : ratio(v)} title={measureOf(h.type, h.column)} />
			</>}
			{conditions.length > 0 && site && (
				<ul class="conditions">
					{conditions.map((p) => <li title={`${p.type} ${p.condition}`}>{problemTitle(p.type)}: {count(site.problems.get(p.type) ?? 0)} of {count(site.grains)} grains here</li>)}
				</ul>
			)}
			{f.parts.length > 0 && <p class="small">{f.parts.map((p) => `${p.share === null ? '' : `${Math.round(p.share)} % at `}${p.place.label}`).join(', ')}</p>}
			<p class="buttons">
				{typeof node === 'number' && <button type="button" id="show-example" onClick={() => { void stage.value?.select(node); void stage.value?.show(node); }} title="Show a grain with this problem in the graph">Show in graph</button>}
				{f.place.label && <button type="button" onClick={() => put({ page: 'source', file: f.place.file, line: f.place.line }, true)} title="The lines around it, with what their grains did">Open source</button>}
				{f.place.line !== null && <button type="button" title="Copy file and line" onClick={() => copy(`${f.place.file}:${f.place.line}`)}>Copy place</button>}
				<button type="button" title="Copy the address of this view" onClick={() => copy(location.href)}>Copy link</button>
				<button type="button" aria-pressed={is_accepted} title="Grey it out; the address of the page remembers it" onClick={toggle}>Dismiss</button>
			</p>
		</section>
	);
};
