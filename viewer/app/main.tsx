// SPDX-License-Identifier: MIT
import { effect } from '@preact/signals';
import { render } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { open, shortage } from './container.ts';
import { Comparison } from './comparison.tsx';
import { Core } from './core.ts';
import { severity } from './findings.tsx';
import { Help } from './help.tsx';
import { open_run } from './judging.ts';
import { listenToKeys } from './keys.ts';
import { Search } from './search.tsx';
import { Overview, ProfileOf } from './overview.tsx';
import { Picture } from './picture.tsx';
import { Grains } from './pages/grains.tsx';
import { Metrics } from './pages/metrics.tsx';
import { Compare } from './pages/compare.tsx';
import { Predicted } from './pages/predicted.tsx';
import { Source } from './pages/source.tsx';
import { Timeline } from './timeline.tsx';
import { read } from './report.ts';
import { column, directory, part_kind } from './directory.ts';
import { leftOut, placesByWork, sites } from './index.ts';
import { Dropped, Embedded, Served, type ChunkSource } from './source.ts';
import { page, pages, put, run, spoken, trouble, type PageName, type Run } from './state.ts';
import { number } from './json.ts';
import { TimeBar } from './timebar.tsx';
import { count, setUnit } from './units.ts';
import { isMemoryKnown, problemTitle } from './words.ts';

let n_shown = 0;

/** What is asked for last is what is shown, however long the one before takes to come. */
const show = async (source: ChunkSource): Promise<void> => {
	const mine = ++n_shown;
	const tell = (text: string): void => { if (mine === n_shown) trouble.value = text && `${source.name}: ${text}`; };
	try {
		const container = await open(source);
		const report = read(container.index['report']);
		if (mine !== n_shown) return;
		setUnit(report.unit);
		run.value?.core.close();
		const core = new Core(container);
		core.ontrouble = (text) => tell(`${text}; what could be read is shown`);
		const opened = core.open();
		opened.catch(() => undefined);
		run.value = { container, report, core, sites: sites(container.index, report, null) };
		const table = (await directory(container)).find((p) => p.kind === part_kind.sites);
		const places = table && await column(container, table, 'place');
		if (mine !== n_shown) return;
		if (places) run.value = { container, report, core, sites: sites(container.index, report, places) };
		await opened;
		if (mine === n_shown) open_run.value = run.value;
		tell(shortage(container));
	} catch (error) {
		tell(error instanceof Error ? error.message : String(error));
	}
};

/** What is on each page. */
const what: Record<PageName, string> = {
	overview: 'What is slow, where, and what to try', timeline: 'What each thread did, as recorded', graph: 'Tasks and loop chunks, with their forks and joins', source: 'Source lines, with what their grains cost',
	grains: 'All tasks and loop chunks, as a table', metrics: 'Thresholds, and metrics of your own', compare: 'What differs between the two runs', predicted: 'Times on other numbers of threads, and after changes',
};

const Header = ({ r }: { r: Run }) => {
	return (
		<header>
			<h1 title={r.report.command}>{r.report.command.replace(/^\S*\//, '')}</h1>
			<nav aria-label="pages">
				{pages.filter((p) => (p !== 'compare' || r.container.index['diff']) && (p !== 'predicted' || r.container.index['predicted'])).map((p) => (
					<a href={`#page=${p}`} title={what[p]} aria-current={page.value === p ? 'page' : undefined} onClick={(e) => { e.preventDefault(); put({ page: p === 'overview' ? null : p }, true); }}>{p[0]?.toUpperCase()}{p.slice(1)}</a>
				))}
			</nav>
		</header>
	);
};

/** The report's own first sentences; the last one says what is worst. */
const Verdict = ({ r }: { r: Run }) => {
	const most = [...r.report.problems].sort((a, b) => (b.count ?? 0) - (a.count ?? 0)).find((p) => p.count);
	const place = placesByWork(r.report)[0];
	const lines = r.report.headline.length > 0 ? r.report.headline : [`${r.report.command}: ${count(number(r.report.graph['grains']))} grains, imported${most ? `; ${count(most.count)} with ${problemTitle(most.type)}` : ''}${place ? `; most work at ${place}` : ''}`];
	const last = lines.at(-1) ?? '', worst = r.report.findings[0];
	return (
		<div id="verdict" class={worst ? `has-findings ${severity(worst, 1, 0)}` : r.report.is_imported || !isMemoryKnown(r.report) ? '' : 'fine'}>
			<p class="worst">{last}</p>
			{leftOut(r.container.index) && <p id="left-out">{leftOut(r.container.index)}</p>}
			{lines.slice(0, -1).map((line) => <p>{line.startsWith(r.report.command) ? line.slice(r.report.command.length + 2) : line}</p>)}
		</div>
	);
};

/** The timeline on a page of its own, with the sums of each thread. */
const Recorded = ({ run }: { run: Run }) => <div class="page"><Timeline run={run} height={560} is_page /><ProfileOf run={run} height={170} /></div>;
const Graph = ({ run }: { run: Run }) => <div class="graph-page"><Picture run={run} /></div>;

const views: Record<PageName, (props: { run: Run }) => preact.JSX.Element> = { overview: Overview, timeline: Recorded, graph: Graph, source: Source, grains: Grains, compare: Compare, metrics: Metrics, predicted: Predicted };

const Empty = () => (
	<div class="empty">
		<h1>Winnow</h1>
		<p id="empty">Drop a <code>run.grains</code> here. <code>winnow view RECORDING -o run.grains</code> writes one.</p>
		<p><label>or choose it: <input type="file" onChange={(e) => { const f = e.currentTarget.files?.[0]; if (f) void show(new Dropped(f)); }} /></label></p>
	</div>
);

const Keys = () => (
	<footer>
		{[['j', 'next finding'], ['t', 'timeline'], ['g', 'graph'], ['c', 'critical path'], ['/', 'search'], ['?', 'all keys']].map(([k, what]) => <span><kbd>{k}</kbd> {what}</span>)}
	</footer>
);

/** How high is what stands above the picture? It fills the rest of the window. */
const measureTop = (): void => {
	const top = document.getElementById('main')?.querySelector('.overview, .graph-page')?.getBoundingClientRect().top;
	if (top !== undefined) document.documentElement.style.setProperty('--top', `${Math.round(top + scrollY)}px`);
};

const App = () => {
	const r = run.value;
	const View = views[page.value] ?? Overview;
	useLayoutEffect(measureTop);
	return (
		<>
			{trouble.value && <p role="alert" id="trouble">{trouble.value}</p>}
			{r ? <><Header r={r} /><main id="main"><Comparison run={r} /><Verdict r={r} />{View === Overview && !r.container.index['diff'] && <TimeBar report={r.report} />}<View run={r} /></main><Help /><Search run={r} /><Keys /></> : <main><Empty /></main>}
			<p id="spoken" role="status" aria-live="polite">{spoken.value}</p>
		</>
	);
};

/** On the main thread. */
export const start = (): void => {
	const root = document.getElementById('app');
	if (!root) return;
	addEventListener('dragover', (e) => e.preventDefault());
	addEventListener('drop', (e) => {
		e.preventDefault();
		const file = e.dataTransfer?.files[0];
		if (file) void show(new Dropped(file));
	});
	listenToKeys();
	addEventListener('resize', measureTop);
	effect(() => {
		const r = run.value;
		document.title = r ? `${r.report.command.split(/[ ]/)[0]?.split('/').at(-1) ?? ''} - Winnow` : 'Winnow';
	});
	const has_run = window.winnow.pieces.length > 0;
	// what the page says already stays until there is more to say
	const end = effect(() => {
		if (has_run && !run.value && !trouble.value) return;
		render(<App />, root);
		queueMicrotask(() => end());
	});
	// the worker begins meanwhile (arrive.ts)
	if (has_run) setTimeout(() => void show(new Embedded(window.winnow)));
	else if (location.protocol.startsWith('http')) void show(new Served('run.grains'));
};
