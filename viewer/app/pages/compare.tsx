// SPDX-License-Identifier: MIT
// Two runs side by side: what winnow diff says of another recording (A) and this one (B).
import { fields, flag, list, number, numbers, text, type Fields } from '../json.ts';
import { marksOf } from '../index.ts';
import { link, type Run } from '../state.ts';
import { count, percent, ratio, time } from '../units.ts';

const pair = (v: unknown): [number | null, number | null] => {
	const [a = NaN, b = NaN] = numbers(v);
	return [Number.isFinite(a) ? a : null, Number.isFinite(b) ? b : null];
};

/** More than that is no chance, most times; what has become less is good. */
const much = 1.05;
const Ratio = ({ a, b, is_plain }: { a: number | null; b: number | null; is_plain?: boolean }) => {
	const r = a !== null && b !== null && a > 0 ? b / a : null;
	const what = is_plain || r === null ? '' : r > much ? ' bad' : r < 1 / much ? ' good' : '';
	return <td class={`n${what}`}>{r === null ? '' : ratio(r)}</td>;
};

const Totals = ({ d }: { d: Fields }) => {
	const [a, b] = list(d['runs']).map((r) => fields(fields(r)['totals']));
	const [pa, pb] = list(d['runs']).map((r) => fields(fields(r)['program']));
	const rows: [string, unknown, unknown, (n: number | null) => string, boolean][] = [
		['time of the process', pa?.['wall_ns'], pb?.['wall_ns'], time, false], ['time OpenMP was in use', a?.['elapsed_ns'], b?.['elapsed_ns'], time, false],
		['work', a?.['work_ns'], b?.['work_ns'], time, false], ['span', a?.['span_ns'], b?.['span_ns'], time, false],
		['work / span', a?.['parallelism'], b?.['parallelism'], ratio, true], ['cores used', a?.['cores_used'], b?.['cores_used'], ratio, true],
		['creating tasks', a?.['creation_ns'], b?.['creation_ns'], time, false], ['scheduling', a?.['scheduling_ns'], b?.['scheduling_ns'], time, false],
		['idle: no ready work', a?.['idle_empty_ns'], b?.['idle_empty_ns'], time, false],
	];
	const threads = [pa, pb].map((p) => count(number(p?.['threads'])));
	return (
		<section aria-labelledby="runs-title">
			<h2 id="runs-title">The runs</h2>
			<table class="list" id="compare-runs">
				<thead><tr><td /><th scope="col" class="n">A, before</th><th scope="col" class="n">B, this run</th><th scope="col" class="n">B / A</th></tr></thead>
				<tbody>
					<tr><th scope="row">threads</th><td class="n">{threads[0]}</td><td class="n">{threads[1]}</td><td /></tr>
					{rows.map(([name, x, y, f, is_plain]) => <tr><th scope="row">{name}</th><td class="n">{f(number(x))}</td><td class="n">{f(number(y))}</td><Ratio a={number(x)} b={number(y)} is_plain={is_plain} /></tr>)}
				</tbody>
			</table>
		</section>
	);
};

/** What has become of findings: by rule and place. */
const Findings = ({ run, d }: { run: Run; d: Fields }) => {
	const before = list(fields(list(d['runs'])[0])['advice']).map(fields);
	if (before.length === 0 && run.report.findings.length === 0) return null;
	const key = (rule: string, place: string): string => `${rule}@${place}`;
	const now = new Map(run.report.findings.map((f, i) => [key(f.rule, f.place.label), { f, i }]));
	const gone = before.filter((f) => !now.has(key(text(f['rule']), text(f['place']))));
	return (
		<section aria-labelledby="compare-findings-title">
			<h2 id="compare-findings-title">Findings</h2>
			<table class="list" id="compare-findings">
				<thead><tr><th scope="col">finding</th><th scope="col">place</th><th scope="col" class="n">A could save</th><th scope="col" class="n">B could save</th></tr></thead>
				<tbody>
					{run.report.findings.map((f, i) => {
						const old = before.find((x) => key(text(x['rule']), text(x['place'])) === key(f.rule, f.place.label));
						return <tr><th scope="row"><a {...link({ page: null, finding: i + 1 })}>{f.title}</a></th><td>{f.place.label}</td><td class="n">{old ? `-${time(number(old['gain_expected_ns']))}` : 'new'}</td><td class="n bad">{`-${time(f.gain_ns)}`}</td></tr>;
					})}
					{gone.map((f) => <tr><th scope="row">{text(f['message']).split(': ')[0]}</th><td>{text(f['place'])}</td><td class="n">{`-${time(number(f['gain_expected_ns']))}`}</td><td class="n good">gone</td></tr>)}
				</tbody>
			</table>
		</section>
	);
};

const most = 60;

const Sites = ({ d }: { d: Fields }) => {
	const sites = list(d['sites']).map(fields);
	return (
		<section class="full" aria-labelledby="compare-places-title">
			<h2 id="compare-places-title">Places in the source, largest difference of work first</h2>
			<table class="list" id="compare-places">
				<thead><tr><th scope="col">place</th><th scope="col">function</th><th scope="col">kind</th><th scope="col" class="n">grains A</th><th scope="col" class="n">grains B</th><th scope="col" class="n">work A</th><th scope="col" class="n">work B</th><th scope="col" class="n">B / A</th><th scope="col" class="n">with a problem A</th><th scope="col" class="n">B</th><th scope="col">which</th></tr></thead>
				<tbody>
					{sites.slice(0, most).map((s) => {
						const a = fields(s['a']), b = fields(s['b']);
						const at = text(b['place']) ? b : a;
						const [na, nb] = pair(s['grains']), [wa, wb] = pair(s['work_ns']), [ga, gb] = pair(s['problem_grains']);
						const line = number(b['line']);
						return (
							<tr>
								<th scope="row">{line === null ? text(at['place']) : <a {...link({ page: 'source', file: text(b['file']), line })}>{text(at['place'])}</a>}</th>
								<td>{text(at['function'])}</td><td>{text(s['kind'])}</td><td class="n">{count(na)}</td><td class="n">{count(nb)}</td>
								<td class="n">{time(wa)}</td><td class="n">{time(wb)}</td><Ratio a={wa} b={wb} /><td class="n">{count(ga)}</td><td class="n">{count(gb)}</td>
								<td class="faint">{text(a['place']) === '' ? 'only in B' : text(b['place']) === '' ? 'only in A' : flag(s['is_clear']) ? '' : 'may be chance'}</td>
							</tr>
						);
					})}
				</tbody>
			</table>
			{sites.length > most && <p class="faint small">and {count(sites.length - most)} more</p>}
		</section>
	);
};

/** The group in the picture, where it is marked there. */
const Shown = ({ id, node }: { id: string; node: number | undefined }) =>
	node === undefined ? <>{id}</> : <a title="show it in the picture" {...link({ page: null, node })}>{id}</a>;

/** Groups by ids that do not depend on the schedule: what has changed its shape, came, or went. */
const Groups = ({ run, d }: { run: Run; d: Fields }) => {
	const nodes = new Map(marksOf(run.container.index).map((m) => [`${m.what} ${m.id}`, m.node]));
	const nodeOf = (what: string, id: string): number | undefined => what ? nodes.get(`${what} ${id}`) : nodes.get(`slower ${id}`) ?? nodes.get(`faster ${id}`);
	const g = fields(d['groups']);
	const s = fields(d['structure']);
	const grains = fields(d['grains']);
	const changed = ['changed', 'created', 'vanished', 'moved'].flatMap((what) => list(g[what]).map((x): [string, Fields] => [what, fields(x)]));
	const slower = list(g['by_difference']).map((x): [string, Fields] => ['', fields(x)]);
	const table = (id: string, title: string, rows: [string, Fields][]) => rows.length > 0 && (
		<section class="full" aria-label={`list: ${title}`}>
			<h2 id={`${id}-title`}>{title}</h2>
			<div class="scroll short" tabIndex={0} role="region" aria-label={title}>
				<table class="list" id={id}>
					<thead><tr>{id === 'compare-changed' && <th scope="col">what</th>}<th scope="col">group</th><th scope="col" class="n">members A</th><th scope="col" class="n">B</th><th scope="col" class="n">work A</th><th scope="col" class="n">work B</th><th scope="col" class="n">B / A</th></tr></thead>
					<tbody>
						{rows.slice(0, most).map(([what, x]) => {
							const [na, nb] = pair(x['members']), [wa, wb] = pair(x['work_ns']);
							return <tr>{what && <td>{what}</td>}<th scope="row"><Shown id={text(x['id'])} node={nodeOf(what, text(x['id']))} /></th><td class="n">{na === null ? '' : count(na)}</td><td class="n">{nb === null ? '' : count(nb)}</td><td class="n">{wa === null ? '' : time(wa)}</td><td class="n">{wb === null ? '' : time(wb)}</td><Ratio a={wa} b={wb} /></tr>;
						})}
					</tbody>
				</table>
			</div>
		</section>
	);
	const all = (number(grains['matched']) ?? 0) + (number(grains['only_a']) ?? 0) + (number(grains['only_b']) ?? 0);
	const facts: [string, string][] = [
		['grains in both', `${count(number(grains['matched']))}, ${percent(number(grains['matched']), all)}`], ['only in A', count(number(grains['only_a']))], ['only in B', count(number(grains['only_b']))],
		['groups changed', count(number(s['changed_groups']))], ['created', count(number(s['created_groups']))], ['vanished', count(number(s['vanished_groups']))],
	];
	return (
		<>
			<section aria-labelledby="compare-structure-title">
				<h2 id="compare-structure-title">Structure <small>{flag(s['is_same']) ? 'the same' : 'not the same'}</small></h2>
				<table class="facts" id="compare-structure"><tbody>{facts.map(([k, v]) => <tr><th scope="row">{k}</th><td>{v}</td></tr>)}</tbody></table>
			</section>
			{table('compare-changed', 'Groups that changed', changed)}
			{table('compare-slower', "Groups by their members' work, largest difference first", slower)}
		</>
	);
};

export const Compare = ({ run }: { run: Run }) => {
	const d = fields(run.container.index['diff']);
	const notes = list(d['fidelity']).map((n) => text(fields(n)['note']));
	if (list(d['runs']).length < 2) return <div class="page-empty"><p>This page holds one run. <code>winnow view AFTER --against BEFORE</code> compares two.</p></div>;
	return (
		<div class="compare-page">
			<div id="compare-headline">{list(d['headline']).map((line) => <p>{text(line)}</p>)}</div>
			<div class="rest">
				<Totals d={d} />
				<Findings run={run} d={d} />
				<Sites d={d} />
				<Groups run={run} d={d} />
				{notes.length > 0 && <section class="full" aria-labelledby="compare-unknown-title"><h2 id="compare-unknown-title">Limitations of this comparison</h2><ul class="notes">{notes.map((n) => <li>{n}</li>)}</ul></section>}
			</div>
		</div>
	);
};
