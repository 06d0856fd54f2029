// SPDX-License-Identifier: MIT
// All grains as a table: those for which an expression is true, sorted by any column. What is on the page at once
// is what is seen of it; what is listed at all is bounded, and the rest is in the CSV.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get, link, put, say, type Run } from '../state.ts';
import { bytes, count, percent, ratio, time } from '../units.ts';
import type { Fault, Progress, Query, Rows } from '../worker/table.ts';
import { columnsOf, csv, download, findRows, isFault, placesOf, stop, Stopped, type Column } from './table.ts';

const most = 5000;
const row_height = 26;
const usual = ['id', 'kind', 'thread', 'begin_ns', 'work_ns', 'instructions', 'creation_ns', 'sync_ns', 'num_children', 'parallel_benefit', 'inst_par_median', 'on_crit_path', 'is_problem'];
const kinds: Record<number, string> = { 2: 'implicit', 3: 'task', 4: 'taskloop', 5: 'chunk', 6: 'section' };

const rows = signal<{ found: Rows; told: string; columns: number } | null>(null);
const fault = signal<Fault | null>(null);
const trouble = signal('');
const progress = signal<Progress | null>(null);

const shownNames = (all: Column[]): string[] => {
	const wanted = (get('columns') || usual.join(',')).split(',');
	return all.map((c) => c.name).filter((name) => wanted.includes(name));
};

export const cell = (c: Column, v: number): string => {
	if (Number.isNaN(v)) return '';
	if (c.name === 'kind') return kinds[v] ?? String(v);
	if (c.type === 'flag') return v === 0 ? '' : 'yes';
	if (c.unit === 'ns') return time(v);
	return c.type === 'whole' ? String(v) : ratio(v);
};

const isText = (c: Column): boolean => c.name === 'kind' || c.type === 'flag';

const query = (run: Run, shown: string[]): Query => {
	const place = get('place') === '' ? undefined : placesOf(run)[Number(get('place'))];
	return { where: get('where'), by: get('by'), is_descending: get('desc') === '1', sites: place ? place.sites : null, most, shown };
};

const failed = (error: unknown): void => {
	if (!(error instanceof Stopped)) trouble.value = error instanceof Error ? error.message : String(error);
};

const search = async (run: Run, shown: string[]): Promise<void> => {
	try {
		trouble.value = '';
		progress.value = { n_looked: 0, n_all: 0, n_matching: 0, n_left_out: 0, is_done: false };
		const found = await findRows(run, query(run, shown), get, (p) => { progress.value = p; });
		progress.value = null;
		if (isFault(found)) { fault.value = found; rows.value = null; return; }
		fault.value = null;
		rows.value = { found, told: told(run, found), columns: shown.length };
		say(rows.value.told);
	} catch (error) {
		failed(error);
	}
};

const save = async (run: Run): Promise<void> => {
	try {
		const blob = await csv(run, query(run, []), get, (p) => { progress.value = p; });
		progress.value = null;
		if (isFault(blob)) { fault.value = blob; return; }
		const name = `${run.report.command.split(' ')[0]?.split('/').at(-1) ?? 'run'}.csv`;
		download(blob, name);
		say(`${name}, ${bytes(blob.size)}`);
	} catch (error) {
		progress.value = null;
		failed(error);
	}
};

const isAll = (): boolean => get('where').trim() === '' && get('place') === '';

const told = (run: Run, r: Rows): string => {
	const n = isAll() && r.n_left_out === 0 ? r.n_all : r.n_matching;
	const parts = [isAll() ? `${count(n)} grains and implicit tasks` : `${count(n)} of ${count(r.n_all)} grains and implicit tasks, ${percent(n, r.n_all)}`];
	if (n > r.nodes.length) parts.push(`the first ${count(r.nodes.length)} are listed, the CSV has all`);
	if (r.n_left_out > 0) parts.push(`${count(r.n_left_out)} grains are not in this file and were not looked at`);
	return parts.join('; ');
};

const Filter = ({ run }: { run: Run }) => {
	const [text, setText] = useState(get('where'));
	const where = get('where');
	useEffect(() => setText(where), [where]);
	const f = fault.value;
	const places = placesOf(run).map((p, i) => ({ ...p, i })).filter((p) => p.sites.length > 0);
	return (
		<form class="filter" role="search" onSubmit={(e) => { e.preventDefault(); put({ where: text.trim() }, true); }}>
			<label class="grow">Grains for which{' '}
				<input id="where" type="text" value={text} spellcheck={false} autocomplete="off" placeholder="work_ns < 10us and parallel_benefit < 1"
					aria-invalid={f?.which === 0 ? 'true' : undefined} aria-describedby={f?.which === 0 ? 'fault' : undefined} onInput={(e) => setText(e.currentTarget.value)} />
			</label>
			<label>at{' '}
				<select id="place" value={get('place')} onChange={(e) => put({ place: e.currentTarget.value }, true)}>
					<option value="">any place</option>
					{places.map((p) => <option value={String(p.i)}>{`${p.label} ${p.func} (${p.kind})`}</option>)}
				</select>
			</label>
			<button type="submit">Filter</button>
			{!isAll() && <button type="button" onClick={() => put({ where: null, place: null }, true)}>All</button>}
			<button type="button" onClick={() => void save(run)}>CSV</button>
		</form>
	);
};

const Chooser = ({ all, shown }: { all: Column[]; shown: string[] }) => (
	<details class="chooser">
		<summary>Columns</summary>
		<fieldset>
			<legend class="hidden">columns that are shown</legend>
			{all.map((c) => (
				<label title={c.title}><input type="checkbox" checked={shown.includes(c.name)}
					onChange={(e) => { const next = e.currentTarget.checked ? [...shown, c.name] : shown.filter((x) => x !== c.name); put({ columns: next.join(',') }); }} /> {c.name}</label>
			))}
		</fieldset>
	</details>
);

const Head = ({ columns }: { columns: Column[] }) => (
	<thead>
		<tr aria-rowindex={1}>
			{columns.map((c) => {
				const is_by = get('by') === c.name;
				const is_descending = get('desc') === '1';
				const next = is_by ? is_descending ? { by: c.name, desc: null } : { by: null, desc: null } : { by: c.name, desc: '1' };
				return (
					<th scope="col" class={isText(c) ? '' : 'n'} title={c.title} aria-sort={is_by ? is_descending ? 'descending' : 'ascending' : undefined}>
						<button type="button" class="sort" onClick={() => put(next, true)}>{c.name.replace(/_ns$/, '')}<span aria-hidden="true">{is_by ? is_descending ? ' \u25be' : ' \u25b4' : ''}</span></button>
					</th>
				);
			})}
			<th scope="col" title="the node's id, as winnow tree takes it">lineage</th>
			<th scope="col">place</th>
		</tr>
	</thead>
);

/** The row that gets the focus as soon as it is on the page: keys may come faster. */
let coming: number | null = null;

/** Arrows go from row to row; what is not seen scrolls into view. */
const onKey = (e: KeyboardEvent, n: number, scroll: HTMLElement): void => {
	const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[e.key];
	const at = (document.activeElement as HTMLElement | null)?.dataset['row'];
	if (step === undefined || at === undefined || e.altKey || e.ctrlKey || e.metaKey) return;
	e.preventDefault();
	e.stopPropagation();
	const next = Math.max(0, Math.min(n - 1, (coming ?? Number(at)) + step));
	coming = next;
	scroll.scrollTop = Math.max(0, Math.min(scroll.scrollTop, next * row_height), (next + 2) * row_height - scroll.clientHeight + row_height);
	let tries = 5;
	const focus = (): void => {
		if (coming !== next) return;
		const a = scroll.querySelector<HTMLElement>(`[data-row="${next}"]`);
		if (!a && tries-- > 0) { requestAnimationFrame(focus); return; }
		coming = null;
		a?.focus();
	};
	requestAnimationFrame(focus);
};

const Table = ({ run, r, columns, is_busy }: { run: Run; r: Rows; columns: Column[]; is_busy: boolean }) => {
	const scroll = useRef<HTMLDivElement>(null);
	const [top, setTop] = useState(0);
	const [height, setHeight] = useState(600);
	useEffect(() => {
		const box = scroll.current;
		if (!box) return undefined;
		const o = new ResizeObserver(() => setHeight(box.clientHeight));
		o.observe(box);
		return () => o.disconnect();
	}, []);
	useEffect(() => { if (scroll.current) scroll.current.scrollTop = 0; setTop(0); }, [r]);
	const places = placesOf(run);
	const [ids, setIds] = useState<ReadonlyMap<number, string>>(new Map());
	const n = r.nodes.length;
	const first = Math.max(0, Math.floor(top / row_height) - 8);
	const last = Math.min(n, Math.ceil((top + height) / row_height) + 8);
	useEffect(() => {
		const seen = [...r.nodes.subarray(first, last)];
		if (seen.every((node) => ids.has(node))) return undefined;
		const soon = setTimeout(() => run.core.names(seen).then((found) => setIds(new Map(seen.map((node, i) => [node, found[i] ?? '']))), () => undefined), 100);
		return () => clearTimeout(soon);
	}, [r, first, last]);
	return (
		<div class="scroll" ref={scroll} tabIndex={0} role="region" aria-label="rows of grains" onScroll={(e) => setTop(e.currentTarget.scrollTop)}
			onKeyDown={(e) => onKey(e, n, e.currentTarget)}>
			<table class="grains" aria-rowcount={n + 1} aria-busy={is_busy ? 'true' : undefined}>
				<caption class="hidden">grains, one in each row; the first cell leads to the grain in the picture</caption>
				<Head columns={columns} />
				<tbody>
					{first > 0 && <tr aria-hidden="true" class="room"><td colSpan={columns.length + 2}><svg width="1" height={first * row_height} /></td></tr>}
					{Array.from({ length: Math.max(0, last - first) }, (_, k) => first + k).map((i) => (
						<tr key={i} aria-rowindex={i + 2}>
							{columns.map((c, k) => {
								const text = cell(c, r.cells[i * columns.length + k] ?? NaN);
								return k === 0 ? <th scope="row" class={isText(c) ? '' : 'n'}><a data-row={i} {...link({ page: null, node: r.nodes[i] ?? null })}>{text}</a></th>
									: <td class={isText(c) ? '' : 'n'}>{text}</td>;
							})}
							<td class="lineage">{ids.get(r.nodes[i] ?? -1) ?? ''}</td>
							<td class="where">{places[run.sites.place[r.sites[i] ?? -1] ?? -1]?.label ?? ''}</td>
						</tr>
					))}
					{last < n && <tr aria-hidden="true" class="room"><td colSpan={columns.length + 2}><svg width="1" height={(n - last) * row_height} /></td></tr>}
				</tbody>
			</table>
		</div>
	);
};

export const Grains = ({ run }: { run: Run }) => {
	const all = columnsOf(run);
	const names = shownNames(all);
	const columns = names.map((name) => all.find((c) => c.name === name)).filter((c): c is Column => c !== undefined);
	const key = JSON.stringify([get('where'), get('place'), get('by'), get('desc'), names]);
	useEffect(() => {
		void search(run, names);
		return () => { stop('rows'); };
	}, [run, key]);
	const p = progress.value;
	const f = fault.value;
	const r = rows.value;
	return (
		<section class="page grains-page" aria-labelledby="grains-title">
			<h2 id="grains-title" class="hidden">Grains</h2>
			<Filter run={run} />
			<div class="state">
				{f && <p id="fault" class="bad" role="alert">{f.which === 0 ? 'The filter' : 'What to sort by'}, character {f.at}: {f.why}</p>}
				{trouble.value && <p class="bad" role="alert">{trouble.value}</p>}
				{p ? (
					<p><progress max={Math.max(1, p.n_all)} value={p.n_looked + p.n_left_out} aria-label="grains looked at" /> {p.n_all > 0 && `${count(p.n_looked)} of ${count(p.n_all)} grains`} <button type="button" onClick={() => { stop('rows'); progress.value = null; }}>Stop</button></p>
				) : r && !f && <p id="told-grains">{r.told}</p>}
				<Chooser all={all} shown={names} />
			</div>
			{r && !f && r.columns === columns.length && <Table run={run} r={r.found} columns={columns} is_busy={p !== null} />}
		</section>
	);
};
