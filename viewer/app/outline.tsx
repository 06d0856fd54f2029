// SPDX-License-Identifier: MIT
// The picture as a table: groups that open to their members, for who does not see or point.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { kinds } from './facts.ts';
import { shownMetric, verdicts } from './judging.ts';
import { isStructure, stage } from './picture.tsx';
import { get, getNumber, put, type Run } from './state.ts';
import { all_problems, no_node, type Fact } from '../core/page.ts';

interface Row {
	node: number;
	level: number;
	parent: number;
	is_group: boolean;
	/** Null: a row that fetches more members after this many. */
	facts: Map<string, Fact> | null;
	n_before: number;
}

/** Members that are listed at once. */
const at_once = 50;

const rows = signal<Row[]>([]);
const open = signal<ReadonlySet<number>>(new Set());
const focus = signal(0);
const rows_of = signal<Run | null>(null);

const rowOf = async (run: Run, node: number, level: number, parent: number): Promise<Row> => {
	const facts = new Map((await run.core.facts(node)).map((f) => [f.key, f]));
	return { node, level, parent, is_group: await run.core.step(node, 'first', all_problems) !== null, facts, n_before: 0 };
};

/** Members of a group from its first one on, or from the one after `after`. */
const members = async (run: Run, group: Row, after: number | null, n_before: number): Promise<Row[]> => {
	const out: Row[] = [];
	let next = after === null ? await run.core.step(group.node, 'first', all_problems) : await run.core.step(after, 'next', all_problems);
	while (next !== null && out.length < at_once) {
		out.push(await rowOf(run, next, group.level + 1, group.node));
		next = await run.core.step(next, 'next', all_problems);
	}
	if (next !== null) out.push({ node: out.at(-1)?.node ?? 0, level: group.level + 1, parent: group.node, is_group: false, facts: null, n_before: n_before + out.length });
	return out;
};

const start = async (run: Run): Promise<void> => {
	rows_of.value = run;
	const root = await rowOf(run, 0, 1, no_node);
	rows.value = [root, ...await members(run, root, null, 0)];
	open.value = new Set([0]);
	focus.value = 0;
};

const toggle = async (run: Run, i: number): Promise<void> => {
	const row = rows.value[i];
	if (!row?.is_group) return;
	const next = new Set(open.value);
	if (next.delete(row.node)) {
		let end = i + 1;
		while ((rows.value[end]?.level ?? 0) > row.level) next.delete(rows.value[end++]?.node ?? no_node);
		rows.value = [...rows.value.slice(0, i + 1), ...rows.value.slice(end)];
	} else {
		const more = await members(run, row, null, 0);
		next.add(row.node);
		rows.value = [...rows.value.slice(0, i + 1), ...more, ...rows.value.slice(i + 1)];
	}
	open.value = next;
};

const fetchMore = async (run: Run, i: number): Promise<void> => {
	const row = rows.value[i];
	const group = rows.value.slice(0, i).findLast((r) => r.node === row?.parent && r.facts !== null);
	if (!row || row.facts !== null || !group) return;
	const more = await members(run, group, row.node, row.n_before);
	rows.value = [...rows.value.slice(0, i), ...more, ...rows.value.slice(i + 1)];
};

const select = (row: Row): void => {
	if (stage.value) { void stage.value.select(row.node); void stage.value.show(row.node); }
	else put({ node: row.node });
};

const told: [string, string][] = [['lineage', 'id'], ['place', 'place'], ['num_grains', 'grains'], ['work_ns', 'work'], ['span_ns', 'span'], ['num_problem', 'with a problem'], ['critical', 'critical path'], ['change', 'reference run']];

/** What groups hold of problems changes with thresholds. */
const refresh = async (run: Run): Promise<void> => {
	const before = rows.value;
	const facts = await Promise.all(before.map((r) => r.facts === null ? null : run.core.facts(r.node).then((f) => new Map(f.map((x) => [x.key, x])))));
	if (rows.value === before) rows.value = before.map((r, i) => ({ ...r, facts: facts[i] ?? null }));
};

/** The last one only where there is a run before; then the metric that pictures show. */
const columnsOf = (run: Run): [string, string][] => {
	const m = shownMetric(run), own = run.container.index['diff'] ? told : told.slice(0, -1);
	return m ? [...own, [`=${m.name}`, m.name]] : own;
};

const Line = ({ run, row, i }: { run: Run; row: Row; i: number }) => {
	const is_open = open.value.has(row.node);
	const is_chosen = getNumber('node', no_node) === row.node && row.facts !== null;
	const kind = row.facts?.get('kind')?.text ?? '';
	const name = kinds[kind] ?? (kind || String(row.node));
	return (
		<tr role="row" aria-level={row.level} aria-expanded={row.is_group ? is_open : undefined} aria-selected={is_chosen} tabIndex={focus.value === i ? 0 : -1}
			onFocus={() => { focus.value = i; }} onDblClick={() => void toggle(run, i)} onClick={() => { focus.value = i; if (row.facts) select(row); else void fetchMore(run, i); }}>
			{row.facts === null ? <td role="gridcell" colSpan={columnsOf(run).length + 1} class="more" data-level={Math.min(12, row.level)}>{`more members, after ${row.n_before}`}</td> : <>
				<th role="rowheader" scope="row" data-level={Math.min(12, row.level)}><span class="twist" aria-hidden="true" onClick={(e) => { e.stopPropagation(); void toggle(run, i); }}>{row.is_group ? (is_open ? '\u25be' : '\u25b8') : ''}</span>{name}</th>
				{columnsOf(run).map(([key]) => <td role="gridcell" class={row.facts?.get(key)?.value === null || row.facts?.get(key) === undefined ? '' : 'n'}>{row.facts?.get(key)?.text ?? ''}</td>)}
			</>}
		</tr>
	);
};

export const Outline = ({ run }: { run: Run }) => {
	const table = useRef<HTMLTableElement>(null);
	useEffect(() => { refresh(run).catch(() => undefined); }, [verdicts.value, get('problem')]);
	useEffect(() => { if (rows_of.value !== run) start(run).catch(() => { rows.value = []; }); }, [run]);
	const to = (i: number): void => {
		focus.value = Math.max(0, Math.min(rows.value.length - 1, i));
		requestAnimationFrame(() => table.current?.querySelector<HTMLElement>('tbody tr[tabindex="0"]')?.focus());
	};
	const onKey = (e: KeyboardEvent): void => {
		const i = focus.value;
		const row = rows.value[i];
		if (!row || e.ctrlKey || e.metaKey || e.altKey) return;
		const is_open = open.value.has(row.node) && row.is_group;
		const up = (): void => to(Math.max(0, rows.value.slice(0, i).findLastIndex((r) => r.level < row.level)));
		const act: Record<string, () => void> = {
			ArrowDown: () => to(i + 1), ArrowUp: () => to(i - 1), Home: () => to(0), End: () => to(rows.value.length - 1),
			ArrowRight: () => { if (is_open) to(i + 1); else void toggle(run, i); },
			ArrowLeft: () => { if (is_open) void toggle(run, i); else up(); },
			Enter: () => { if (row.facts) select(row); else void fetchMore(run, i); },
			' ': () => void toggle(run, i),
		};
		const f = act[e.key];
		if (!f) return;
		e.preventDefault();
		e.stopPropagation();
		f();
	};
	return (
		<section class="outline full" aria-labelledby="outline-title">
			<h2 id="outline-title">Outline <small>the same as the {isStructure() ? 'graph' : 'ideal schedule'}, as a table: arrows walk and open, Enter shows it in the picture</small></h2>
			<div class="scroll">
				<table class="list" role="treegrid" aria-labelledby="outline-title" id="outline" ref={table} onKeyDown={onKey}>
					<thead><tr role="row"><th role="columnheader" scope="col">node</th>{columnsOf(run).map(([, name], k) => <th role="columnheader" scope="col" class={k > 0 ? 'n' : ''}>{name}</th>)}</tr></thead>
					<tbody>{rows.value.map((row, i) => <Line key={`${row.node} ${row.facts === null}`} run={run} row={row} i={i} />)}</tbody>
				</table>
			</div>
		</section>
	);
};
