// SPDX-License-Identifier: MIT
// The source: files by what could be won back in them, and per line what its grains did. The text is what
// `winnow view` put into the index; without it the measured lines stand alone.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { copy } from '../detail.tsx';
import { excerpts } from '../index.ts';
import { number } from '../json.ts';
import { isAt, type Finding, type Report, type Site } from '../report.ts';
import { get, getNumber, link, type Run } from '../state.ts';
import { count, percent, time } from '../units.ts';

interface FileRow {
	file: string;
	sites: Site[];
	gain_ns: number;
	work_ns: number;
	grains: number;
	critical_ns: number;
}

const sum = (sites: Site[], of: (s: Site) => number): number => sites.reduce((all, s) => all + of(s), 0);

/** Worst first. Gains overlap, so a file's is the largest of its places, not their sum. */
export const filesOf = (report: Report): FileRow[] => {
	const by = new Map<string, Site[]>();
	for (const s of report.sites) {
		const sites = by.get(s.place.file);
		if (sites) sites.push(s);
		else by.set(s.place.file, [s]);
	}
	return [...by].map(([file, sites]) => ({
		file, sites, gain_ns: Math.max(...sites.map((s) => s.gain_ns)), work_ns: sum(sites, (s) => s.work_ns),
		grains: sum(sites, (s) => s.grains), critical_ns: sum(sites, (s) => s.critical_work_ns),
	})).sort((a, b) => b.gain_ns - a.gain_ns || b.work_ns - a.work_ns || (a.file < b.file ? -1 : 1));
};

/** Problem types that say that work is spread unevenly. */
const uneven = ['sibling_work_balance', 'chunk_work_balance', 'chunk_work_cpu_balance'];

const flagged = (s: Site, types: string[]): string => {
	const known = types.map((t) => s.problems.get(t)).filter((n): n is number => typeof n === 'number');
	return known.length === 0 ? '-' : percent(Math.max(...known), s.grains);
};

const numbers = (report: Report): [string, string, (s: Site) => string][] => {
	const work = number(report.totals['work_ns']);
	const span = number(report.totals['span_ns']);
	return [
		['saving', 'time that the largest finding here could save', (s) => s.gain_ns > 0 ? `-${time(s.gain_ns)}` : ''],
		['grains', 'tasks, chunks and sections of this line', (s) => count(s.grains)],
		['work', 'what they computed together', (s) => time(s.work_ns)],
		['of all', 'their share of all work', (s) => percent(s.work_ns, work)],
		['critical', 'their share of the critical path', (s) => percent(s.critical_work_ns, span)],
		['too fine', 'grains whose work is less than what creating and scheduling them costs', (s) => flagged(s, ['parallel_benefit'])],
		['uneven', 'grains of groups whose work is spread unevenly ', (s) => flagged(s, uneven)],
	];
};

const Heads = ({ report }: { report: Report }) =>
	<>{numbers(report).map(([name, what]) => <th scope="col" class="n" title={what}>{name}</th>)}</>;

const Cells = ({ report, s }: { report: Report; s: Site }) =>
	<>{numbers(report).map(([name, , of]) => <td class={name === 'saving' ? 'n bad' : 'n'}>{of(s)}</td>)}</>;

/** A line of text, where there is text, and the places on it. */
interface Line {
	number: number;
	text: string | null;
	sites: Site[];
	is_after_gap: boolean;
}

/** More lines than these are not put on the page at once: those nearest to the line that is looked at. */
const most_lines = 2000;

export const linesOf = (run: Run, f: FileRow, at: number): { lines: Line[]; has_text: boolean; n_hidden: number } => {
	const texts = new Map<number, string>();
	for (const e of excerpts(run.container.index))
		if (e.file === f.file) e.lines.forEach((t, i) => texts.set(e.first + i, t));
	const sites = new Map<number, Site[]>();
	for (const s of f.sites)
		if (s.place.line !== null) sites.set(s.place.line, [...sites.get(s.place.line) ?? [], s]);
	const all = [...new Set([...texts.keys(), ...sites.keys()])].sort((a, b) => a - b);
	const middle = Math.max(0, all.findIndex((n) => n >= at));
	const from = Math.max(0, Math.min(middle - most_lines / 2, all.length - most_lines));
	const shown = all.slice(from, from + most_lines);
	return {
		lines: shown.map((n, i) => ({ number: n, text: texts.get(n) ?? null, sites: sites.get(n) ?? [],
			is_after_gap: i > 0 && texts.size > 0 && n !== (shown[i - 1] ?? 0) + 1 })),
		has_text: texts.size > 0, n_hidden: all.length - shown.length,
	};
};

const name = (file: string): string => file.split('/').at(-1) || 'no file is known';

const Files = ({ files, chosen }: { files: FileRow[]; chosen: FileRow }) => (
	<section class="files" aria-labelledby="files-title">
		<h2 id="files-title">Files, by expected saving</h2>
		<table class="list">
			<thead><tr><th scope="col">file</th><th scope="col" class="n">work</th><th scope="col" class="n">could save</th></tr></thead>
			<tbody>
				{files.slice(0, 500).map((f) => (
					<tr aria-current={f === chosen ? 'true' : undefined} key={f.file}>
						<th scope="row" title={f.file}><a {...link({ page: 'source', file: f.file, line: null })}>{name(f.file)}</a></th>
						<td class="n">{time(f.work_ns)}</td>
						<td class="n bad">{f.gain_ns > 0 ? `-${time(f.gain_ns)}` : ''}</td>
					</tr>
				))}
			</tbody>
		</table>
		{files.length > 500 && <p class="faint small">and {count(files.length - 500)} more, with less to win</p>}
	</section>
);

const findingsAt = (report: Report, line: Line): [number, Finding][] =>
	report.findings.map((f, i): [number, Finding] => [i + 1, f]).filter(([, f]) => line.sites.some((s) => isAt(s.place, f.place)));

const Lines = ({ line, report, has_text, chosen, columns }: { line: Line; report: Report; has_text: boolean; chosen: number; columns: number }) => {
	const is_chosen = line.number === chosen && line.sites.length > 0;
	const first = line.sites[0];
	const state = `${line.sites.length > 0 ? 'measured' : ''}${is_chosen ? ' chosen' : ''}`;
	const found = findingsAt(report, line);
	return (
		<>
			{line.is_after_gap && <tr class="gap"><td colSpan={columns - 2} /><td class="n">...</td><td /></tr>}
			<tr class={state} aria-current={is_chosen ? 'true' : undefined}>
				{first ? <><Cells report={report} s={first} /><td>{first.kind}</td></> : <td colSpan={columns - 2} />}
				<th scope="row" class="n">{first ? <a id={`line-${line.number}`} {...link({ page: 'source', file: first.place.file, line: line.number })}>{line.number}</a> : line.number}</th>
				<td class="text">{has_text ? <code>{line.text}</code> : first?.place.func}</td>
			</tr>
			{line.sites.slice(1).map((s) => (
				<tr class={state}>
					<Cells report={report} s={s} /><td>{s.kind}</td><td />
					<td class="text faint">{has_text && s.place.func === first?.place.func ? '' : s.place.func}</td>
				</tr>
			))}
			{found.map(([k, f]) => (
				<tr class={`${state} told-row`}>
					<td colSpan={columns - 1} />
					<td><a {...link({ page: null, finding: k })}>{f.title}</a>: <span class="faint">{f.why}</span></td>
				</tr>
			))}
		</>
	);
};

/** Up and down go from one measured line to the next. */
const onKey = (e: KeyboardEvent): void => {
	if ((e.key !== 'ArrowDown' && e.key !== 'ArrowUp') || e.altKey || e.ctrlKey || e.metaKey) return;
	const links = [...(e.currentTarget as HTMLElement).querySelectorAll<HTMLAnchorElement>('th a')];
	const at = links.indexOf(document.activeElement as HTMLAnchorElement);
	if (at < 0) return;
	e.preventDefault();
	links[at + (e.key === 'ArrowDown' ? 1 : -1)]?.focus();
};

export const Source = ({ run }: { run: Run }) => {
	const { report } = run;
	const files = filesOf(report);
	const chosen = files.find((f) => f.file === get('file')) ?? files[0];
	const at = getNumber('line', chosen?.sites.find((s) => s.place.line !== null)?.place.line ?? 0);
	const table = useRef<HTMLTableElement>(null);
	useLayoutEffect(() => {
		const box = table.current?.parentElement;
		const row = table.current?.querySelector<HTMLElement>('tr.chosen');
		if (box && row) box.scrollTop = row.offsetTop - box.clientHeight / 3;
	}, [chosen?.file, at]);
	if (!chosen) return <div class="page-empty"><p>No grain was made by a line of source that is known.</p></div>;
	const { lines, has_text, n_hidden } = linesOf(run, chosen, at);
	const homeless = chosen.sites.filter((s) => s.place.line === null);
	const here = chosen.sites.filter((s) => s.place.line === at);
	const place = `${chosen.file}:${at}`;
	const columns = numbers(report).length + 3;
	return (
		<div class="source-page">
			<Files files={files} chosen={chosen} />
			<section class="listing" aria-labelledby="listing-title">
				<div class="listing-head">
					<h2 id="listing-title" title={chosen.file}>{chosen.file || 'Places without a file'}</h2>
					{here.length > 0 && chosen.file !== '' && (
						<p class="buttons">
							<button type="button" onClick={() => copy(place)}>Copy {name(chosen.file)}:{at}</button>
							{chosen.file.startsWith('/') && <a class="button" href={encodeURI(`vscode://file${chosen.file}:${at}`)}>Open in editor</a>}
						</p>
					)}
				</div>
				{!has_text && chosen.file !== '' && <p class="faint small">The text of this file is not in here: it was not found when the page was written, or --no-source left it out.</p>}
				<div class="scroll" tabIndex={0} role="group" aria-label={`lines of ${name(chosen.file)}`} onKeyDown={onKey}>
					<table class="lines" ref={table}>
						<thead>
							<tr><Heads report={report} /><th scope="col">kind</th><th scope="col" class="n">line</th><th scope="col">{has_text ? 'source' : 'function'}</th></tr>
						</thead>
						<tbody>
							{lines.map((line) => <Lines key={line.number} line={line} report={report} has_text={has_text} chosen={at} columns={columns} />)}
							{homeless.map((s) => (
								<tr class="measured"><Cells report={report} s={s} /><td>{s.kind}</td><td /><th scope="row" class="text">{s.place.label} {s.place.func}</th></tr>
							))}
						</tbody>
					</table>
				</div>
				{n_hidden > 0 && <p class="faint small">{count(n_hidden)} lines that are farther away are left out.</p>}
			</section>
		</div>
	);
};
