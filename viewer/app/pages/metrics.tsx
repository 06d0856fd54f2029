// SPDX-License-Identifier: MIT
// Metrics of one's own, and where problems begin: what an expression is on every grain, while it is typed. All of it
// is one text, in the address and in a file that the command line reads (winnow-metrics(5)).
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Histogram } from '../charts.tsx';
import { joined } from '../index.ts';
import { fields, flag, list, number, text, type Fields } from '../json.ts';
import { definitions, metricsOf, open_run, prepareFor, thresholdOf, verdicts } from '../judging.ts';
import { Picture } from '../picture.tsx';
import { get, link, put, run, say, type Run } from '../state.ts';
import { Judging, lacking, Slider } from '../threshold.tsx';
import { count, percent, ratio, time } from '../units.ts';
import { measureOf, problemTitle } from '../words.ts';
import type { Measured } from '../worker/table.ts';
import { colours, expanded, faultOfName, folds, format, numberOf, parse, type Definition, type Definitions } from './definitions.ts';
import { columnsOf, download, isFault, measure, stop, Stopped, type Column } from './table.ts';

const starter: Definition = { name: 'making', words: 'made_ns / exec_ns', bad: 'high', threshold: '20%', propagate: '', colour: -1 };

const measured = signal<Measured | null>(null);
const trouble = signal('');
const fault = signal('');

/** What the address says; a starter where it says nothing. */
const current = (): { d: Definitions; at: number } => {
	const d = definitions();
	const metrics = d.metrics.length > 0 ? d.metrics : [starter];
	return { d: { ...d, metrics }, at: Math.min(metrics.length - 1, Math.max(0, Number(get('metric') || 0) || 0)) };
};

/** The metric that is edited is what the picture shows, if it flags anything. */
const store = (d: Definitions, at: number, is_shown = true): void => {
	put({ metrics: format(d), metric: at === 0 ? null : at });
	const own = run.value && metricsOf(run.value).find((m) => m.at === at);
	if (is_shown) put({ problem: own?.slot ?? null });
};

const change = (change: Partial<Definition>): void => {
	const { d, at } = current();
	store({ ...d, metrics: d.metrics.map((m, i) => (i === at ? { ...m, ...change } : m)) }, at);
};

let later = 0;

const look = async (run: Run, m: Definition, words: string): Promise<void> => {
	try {
		trouble.value = '';
		const threshold = m.bad === 'none' || m.threshold === '' ? NaN : numberOf(m.threshold);
		const found = await measure('measure', run, words, m.bad === 'low', threshold, get, (x) => { measured.value = x; });
		if (isFault(found)) {
			fault.value = `character ${found.at}: ${found.why}`;
			measured.value = null;
			return;
		}
		fault.value = '';
		if (found.is_done) say(`${count(found.n_flagged)} of ${count(found.n)} grains flagged`);
	} catch (error) {
		if (!(error instanceof Stopped)) trouble.value = error instanceof Error ? error.message : String(error);
	}
};

/** The unit that the values seem to have: a column alone has its own. */
const unitOf = (words: string, columns: Column[]): string => columns.find((c) => c.name === words.trim())?.unit ?? '';

const Spread = ({ m, found, columns }: { m: Definition; found: Measured; columns: Column[] }) => {
	const is_time = unitOf(m.words, columns) === 'ns';
	const label = (v: number): string => is_time ? time(v) : Math.abs(v) < 0.01 && v !== 0 ? v.toPrecision(2) : ratio(v);
	const bins = joined(found.bins);
	const all = found.n_zero > 0 ? [{ from: 0, to: bins[0]?.from ?? 1, n: found.n_zero }, ...bins] : bins;
	const n = found.n - found.n_missing;
	const threshold = m.bad === 'none' ? NaN : numberOf(m.threshold);
	const rows: [string, string, string][] = [
		['grains', count(found.n), found.n_left_out > 0 ? `${count(found.n_left_out)} more are not in this file` : ''],
		['flagged', Number.isNaN(threshold) ? '-' : count(found.n_flagged), Number.isNaN(threshold) ? 'no threshold' : `${percent(found.n_flagged, found.n)} of them ${m.bad === 'low' ? '<' : '>'} ${label(threshold)}`],
		['not available', count(found.n_missing), found.n_missing > 0 ? percent(found.n_missing, found.n) : ''],
		['least', label(found.least), ''], ['mean', label(n > 0 ? found.sum / n : NaN), ''], ['most', label(found.most), ''],
		...(found.n_negative > 0 ? [['below 0', count(found.n_negative), 'not drawn']] as [string, string, string][] : []),
	];
	return (
		<>
			{all.length > 0 && <Histogram bins={all} threshold={Number.isNaN(threshold) ? null : threshold} is_bad_below={m.bad === 'low'} label={label} title={m.name} />}
			<table class="facts wide" id="measured"><tbody>{rows.map(([k, v, what]) => <tr><th scope="row">{k}</th><td>{v}</td><td class="text">{what}</td></tr>)}</tbody></table>
		</>
	);
};

const Preview = ({ run, m, words, columns }: { run: Run; m: Definition; words: string; columns: Column[] }) => {
	const key = JSON.stringify([words, m.bad, m.threshold]);
	useEffect(() => {
		clearTimeout(later);
		later = window.setTimeout(() => void look(run, m, words), 200);
		return () => { clearTimeout(later); stop('measure'); };
	}, [run, key]);
	const found = measured.value;
	const threshold = m.bad === 'none' ? NaN : numberOf(m.threshold);
	return (
		<section aria-labelledby="preview-title">
			<h2 id="preview-title" title="Its values, as the expression is typed">{m.name || 'The metric'}: all grains</h2>
			{trouble.value && <p class="bad" role="alert">{trouble.value}</p>}
			{found && !found.is_done && <p class="faint small"><progress max={found.n_all} value={found.n_looked} aria-label="grains looked at" /> {count(found.n_looked)} of {count(found.n_all)}</p>}
			{found && <Spread m={m} found={found} columns={columns} />}
			{found && <p class="buttons">
				{!Number.isNaN(threshold) && <a class="button" {...link({ page: 'grains', where: `${words} ${m.bad === 'low' ? '<' : '>'} ${m.threshold}`, by: words, desc: m.bad === 'high' ? 1 : null, place: null })}>Grains that are flagged</a>}
				<a class="button" {...link({ page: 'grains', where: null, by: words, desc: m.bad === 'low' ? null : 1, place: null })}>Grains by this metric</a>
			</p>}
		</section>
	);
};

const load = async (file: File | undefined): Promise<void> => {
	if (!file) return;
	try {
		const d = parse(await file.text());
		store({ ...d, metrics: d.metrics.length > 0 ? d.metrics : [starter] }, 0);
		trouble.value = '';
		say(`${count(d.metrics.length)} metrics of ${file.name}`);
	} catch (error) {
		trouble.value = `${file.name}: ${error instanceof Error ? error.message : String(error)}`;
	}
};

const Editor = ({ m, d, at, columns }: { m: Definition; d: Definitions; at: number; columns: Column[] }) => {
	const name_fault = faultOfName(m.name, [...columns.map((c) => c.name), ...d.metrics.filter((_, i) => i !== at).map((x) => x.name)]);
	const is_threshold_bad = m.threshold !== '' && Number.isNaN(numberOf(m.threshold));
	return (
		<section aria-labelledby="editor-title">
			<h2 id="editor-title" title="An expression over the columns of grains">A metric of your own</h2>
			<div class="metric-form">
				{d.metrics.length > 1 && (
					<label>of {d.metrics.length}
						<select id="metric" value={String(at)} onChange={(e) => put({ metric: e.currentTarget.value })}>{d.metrics.map((x, i) => <option value={String(i)}>{x.name}</option>)}</select>
					</label>
				)}
				<label>name <input id="metric-name" type="text" value={m.name} spellcheck={false} autocomplete="off" aria-invalid={name_fault ? 'true' : undefined} aria-describedby={name_fault ? 'name-fault' : undefined}
					onInput={(e) => change({ name: e.currentTarget.value.replace(/[^\w]/g, '') })} /></label>
				{name_fault && <p id="name-fault" class="bad small">{name_fault}</p>}
				<label>is <textarea id="metric-words" rows={3} spellcheck={false} value={m.words} aria-invalid={fault.value ? 'true' : undefined} aria-describedby={fault.value ? 'metric-fault' : undefined}
					onInput={(e) => change({ words: e.currentTarget.value.replace(/[\n#]/g, ' ') })} /></label>
				{fault.value && <p id="metric-fault" class="bad small">{fault.value}</p>}
				<label>bad is <select id="metric-bad" value={m.bad} onChange={(e) => change({ bad: e.currentTarget.value as Definition['bad'] })}>
					<option value="none">nothing</option><option value="low">what is low</option><option value="high">what is high</option></select></label>
				{m.bad !== 'none' && <label>{m.bad === 'low' ? 'below' : 'above'} <input id="metric-threshold" type="text" value={m.threshold} spellcheck={false} autocomplete="off" placeholder="10us, 20%, 1.5" aria-invalid={is_threshold_bad ? 'true' : undefined}
					onInput={(e) => change({ threshold: e.currentTarget.value.replace(/[\s#]/g, '') })} /></label>}
				<label>groups take the <select id="metric-propagate" value={m.propagate} onChange={(e) => change({ propagate: e.currentTarget.value })}>
					<option value="">{`the default: ${m.bad === 'low' ? 'min' : m.bad === 'high' ? 'max' : 'again'}`}</option>{folds.map((f) => <option value={f}>{f}</option>)}</select></label>
				<label>colour <select id="metric-colour" value={String(m.colour)} onChange={(e) => change({ colour: Number(e.currentTarget.value) })}>
					<option value="-1">as problems</option>{colours.map((c, i) => <option value={String(i)}>{c}</option>)}</select></label>
			</div>
			<p class="buttons">
				<button type="button" title="Define one more metric" onClick={() => { let k = 2; while (d.metrics.some((x) => x.name === `metric${k}`)) k++; store({ ...d, metrics: [...d.metrics, { ...starter, name: `metric${k}` }] }, d.metrics.length); }}>Add metric</button>
				{d.metrics.length > 1 && <button type="button" title="Remove this metric" onClick={() => store({ ...d, metrics: d.metrics.filter((_, i) => i !== at) }, Math.max(0, at - 1))}>Remove</button>}
				<button type="button" title="Save all metrics and thresholds as a file" onClick={() => { download(new Blob([format(d)], { type: 'text/plain' }), 'my.metrics'); say('my.metrics saved'); }}>Save</button>
				<label class="button file" title="Load a file of metrics">Load <input type="file" onChange={(e) => { void load(e.currentTarget.files?.[0]); e.currentTarget.value = ''; }} /></label>
			</p>
			<details class="words">
				<summary>What an expression can use</summary>
				<table class="list"><tbody>{columns.map((c) => <tr><th scope="row"><code>{c.name}</code></th><td>{c.unit}</td><td class="faint">{c.title}</td></tr>)}</tbody></table>
				<p class="small faint">Also problem.TYPE, run.cpus_used, run.elapsed_ns, run.grains, run.parallelism, run.span_ns, run.work_ns; numbers with ns, us, ms, s, %, k, M, G; + - * / % ^, comparisons, and, or, not, a ? b : c;
					min, max, abs, sqrt, exp, log, log2, floor, ceil, round, if, isnan, coalesce; kind == task, taskloop, chunk, section, implicit. winnow-metrics(5) has all.</p>
			</details>
			<h3>As a file</h3>
			<pre id="metrics-file" class="file-text" tabIndex={0} aria-label="the file of metrics">{format(d)}</pre>
			<p class="small faint"><code>winnow report RECORDING --metrics my.metrics</code></p>
		</section>
	);
};

const Thresholds = ({ run, columns, d, at }: { run: Run; columns: Column[]; d: Definitions; at: number }) => {
	const all = list(run.container.index['problems']).map((p, problem) => ({ ...fields(p), problem, ...thresholdOf(run, problem) } as Fields & { problem: number; given: number; value: number })).filter((t) => t.given > 0);
	useEffect(() => prepareFor(all.map((t) => t.problem)), [open_run.value]);
	return (
		<section aria-labelledby="thresholds-title">
			<h2 id="thresholds-title" title="A value beyond its threshold is a problem">Thresholds of problems</h2>
			<p class="small"><Judging /></p>
			<table class="list" id="thresholds">
				<thead><tr><th scope="col" title="What is wrong with such grains">problem</th><th scope="col">what the value is</th><th scope="col" title="Move it, and grains are judged again">threshold</th><th scope="col" class="n" title="Grains with the problem">grains</th><td /></tr></thead>
				<tbody>
					{all.map((t) => {
						const name = text(t['name']), is_below = flag(t['is_below']);
						const unit = columns.find((c) => c.name === text(t['column']))?.unit;
						const shown = `${is_below ? '<' : '>'} ${unit === 'ns' ? time(t.value) : ratio(t.value)}`;
						const move = (value: number): void => {
							const others = d.thresholds.filter((x) => x.type !== name), is_given = value === t.given;
							store({ ...d, thresholds: is_given ? others : [...others, { type: name, is_below, value: String(value) }] }, at, false);
							put({ [`over${t.problem}`]: is_given ? null : value, problem: t.problem });
						};
						const v = verdicts.value.get(t.problem);
						return (
							<tr>
								<th scope="row" title={name}>{problemTitle(name)}</th><td class="faint">{measureOf(name, text(t['column']))}{v && v.n_lacking > 0 && <span class="bad">; {lacking(v.n_lacking)}</span>}</td>
								<td><span class="slider"><Slider value={t.value} normal={t.given} shown={shown} label={`threshold of ${problemTitle(name)}`} move={move} /> <output>{shown}</output></span></td>
								<td class="n">{t.value === t.given ? count(number(t['count'])) : v ? count(v.n) : '...'}</td>
								<td>{t.value !== t.given && <button type="button" title="The threshold of the report again" onClick={() => move(t.given)}>Reset</button>}</td>
							</tr>
						);
					})}
				</tbody>
			</table>
		</section>
	);
};

export const Metrics = ({ run }: { run: Run }) => {
	const columns = columnsOf(run);
	const { d, at } = current();
	const m = d.metrics[at] ?? starter;
	return (
		<div class="wide-page metrics-page">
			<Editor m={m} d={d} at={at} columns={columns} />
			<div class="right">
				<Picture run={run} />
				<Preview run={run} m={m} words={expanded(d.metrics, at)} columns={columns} />
				<Thresholds run={run} columns={columns} d={d} at={at} />
			</div>
		</div>
	);
};
