// SPDX-License-Identifier: MIT
// When each thread worked, as it was measured: bins of time, as high as the part of them that was work; and from near, grains.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { no_node } from '../../core/page.ts';
import { told } from '../facts.ts';
import { placesByWork } from '../index.ts';
import { number, type Fields } from '../json.ts';
import { nodeAt, paintOver, theme } from '../paint.ts';
import { getNumber, link, put, say, type Run } from '../state.ts';
import { count, percent, ticks, time } from '../units.ts';
import { bins, bins_trouble, loadBins, type Bins } from './bins.ts';
import { chosenRange, put_range, whereOf, type Range } from './common.tsx';
import { placesOf } from './table.ts';
import type { Lanes } from '../worker/lanes.ts';

const row_height = (n: number): number => Math.max(8, Math.min(56, Math.floor(560 / n)));
const left = 46;

const span = (b: Bins): [number, number] => {
	const end = b.n_bins * b.bin_ns;
	const r = chosenRange(end);
	return r ? [r.from, r.to] : [0, end];
};

/** Grains one by one, of the window that `of` tells, as wide as they were drawn. */
type Near = Lanes & { of: string; width: number };
const near = signal<Near | null>(null);
const rest_ms = 120;
/** Bins that lie behind grains. */
const behind = 0.3;

const draw = (canvas: HTMLCanvasElement, b: Bins, lanes: Near | null, place: (site: number) => number): void => {
	const c = canvas.getContext('2d');
	const scale = devicePixelRatio || 1;
	const width = canvas.clientWidth;
	const row = row_height(b.n_threads);
	const height = row * b.n_threads + 18;
	canvas.style.height = `${height}px`;
	canvas.width = width * scale;
	canvas.height = height * scale;
	if (!c) return;
	const t = theme();
	c.setTransform(scale, 0, 0, scale, 0, 0);
	c.fillStyle = t.paper;
	c.fillRect(0, 0, width, height);
	const [from, to] = span(b);
	const room = width - left;
	const per_pixel = (to - from) / room;
	for (let thread = 0; thread < b.n_threads; thread++) {
		const y = thread * row;
		c.fillStyle = t.faint;
		c.font = `11px ${t.font}`;
		c.textAlign = 'right';
		if (row >= 11 || thread % Math.ceil(11 / row) === 0) c.fillText(String(thread), left - 6, y + row / 2 + 4);
		for (let px = 0; px < room; px++) {
			const first = Math.floor((from + px * per_pixel) / b.bin_ns);
			const last = Math.max(first, Math.ceil((from + (px + 1) * per_pixel) / b.bin_ns) - 1);
			let work = 0, most = -1, site = NaN;
			for (let i = first; i <= last && i < b.n_bins; i++) {
				const w = b.work[thread * b.n_bins + i] ?? 0;
				work += w;
				if (w > most) { most = w; site = b.site?.[thread * b.n_bins + i] ?? NaN; }
			}
			const share = Math.min(1, work / ((last - first + 1) * b.bin_ns));
			if (!(share > 0)) continue;
			c.fillStyle = t.place[place(site)] ?? t.line;
			c.globalAlpha = lanes?.picture ? behind : 1;
			const h = Math.max(1, share * (row - 2));
			c.fillRect(left + px, y + row - 1 - h, 1, h);
		}
		c.fillStyle = t.line;
		c.globalAlpha = 0.35;
		c.fillRect(left, y + row - 1, room, 1);
		c.globalAlpha = 1;
	}
	if (lanes?.picture) {
		c.save();
		c.translate(left, 0);
		c.scale(room / lanes.width, 1);
		paintOver(c, lanes.picture, { by_place: true, is_structure: false, scale }, t);
		c.restore();
	}
	c.fillStyle = t.faint;
	c.textAlign = 'left';
	for (const at of ticks(to - from, 6)) c.fillText(time(from + at), left + at / (to - from) * room - (at > 0 ? 12 : 0), height - 4);
};

/** The colour of a place: those with most work first. */
const placeOfSite = (run: Run, site: number): number => run.sites.colours.get(site) ?? 8;

/** What lies at a point of the time line. */
interface At {
	x: number;
	y: number;
	thread: number;
	range: Range;
	/** The grain there, where grains are drawn. */
	node: number | null;
	rows: [string, string][];
}
const at_pointer = signal<At | null>(null);

const look = (run: Run, b: Bins, lanes: Near | null, width: number, x: number, y: number): At | null => {
	const thread = Math.floor(y / row_height(b.n_threads));
	const [from, to] = span(b);
	const bin = Math.floor((from + (x - left) / (width - left) * (to - from)) / b.bin_ns);
	if (x < left || thread >= b.n_threads || bin < 0 || bin >= b.n_bins) return null;
	const i = thread * b.n_bins + bin;
	const work = b.work[i] ?? 0;
	const row = run.sites.place[b.site?.[i] ?? -1];
	const place = row === undefined || Number.isNaN(row) ? '' : placesOf(run)[row]?.label ?? '';
	return { x, y, thread, node: lanes?.picture ? nodeAt(lanes.picture, (x - left) * lanes.width / (width - left), y) : null, range: { from: bin * b.bin_ns, to: (bin + 1) * b.bin_ns }, rows: [['thread', String(thread)], ['from', time(bin * b.bin_ns)], ['at work', percent(work, b.bin_ns)], ['most at', work > 0 ? place : '']] };
};

const columns: [string, string][] = [['work_ns', 'work'], ['creation_ns', 'creating'], ['dispatch_ns', 'getting chunks'], ['scheduling_ns', 'scheduling'], ['leaving_ns', 'leaving waits'],
	['mutex_ns', 'lock contention'], ['idle_ready_ns', 'idle: ready tasks'], ['idle_empty_ns', 'idle: no ready work'], ['forking_ns', 'regions'], ['serial_ns', 'serial']];

const Table = ({ rows, elapsed }: { rows: Fields[]; elapsed: number | null }) => {
	const used = columns.filter(([key]) => rows.some((r) => (number(r[key]) ?? 0) > 0));
	return (
		<table class="list">
			<thead><tr><th scope="col" class="n">thread</th><th scope="col" class="n">grains</th>{used.map(([, name]) => <th scope="col" class="n">{name}</th>)}<th scope="col" class="n">work, of the run</th></tr></thead>
			<tbody>{rows.map((r) => <tr><th scope="row" class="n">{count(number(r['thread']))}</th><td class="n">{count(number(r['grains']))}</td>{used.map(([key]) => <td class="n">{time(number(r[key]))}</td>)}<td class="n">{percent(number(r['work_ns']), elapsed)}</td></tr>)}</tbody>
		</table>
	);
};

export const Threads = ({ run }: { run: Run }) => {
	const canvas = useRef<HTMLCanvasElement>(null);
	const b = bins.value;
	const [from, to] = b ? span(b) : [0, 0];
	const [width, setWidth] = useState(0);
	const walked = useRef(-1);
	const node = getNumber('node', no_node);
	const of = `${from} ${to} ${run.container.source.name}`;
	const lanes = near.value?.of === of ? near.value : null;
	useEffect(() => { void loadBins(run); }, [run]);
	useEffect(() => {
		if (!b || width <= left) return undefined;
		let is_gone = false;
		const soon = setTimeout(() => run.core.call<Lanes>('lanes', { from, to, width: width - left, row: row_height(b.n_threads), n_threads: b.n_threads, selected: node })
			.then((l) => { if (!is_gone) near.value = { ...l, of, width: width - left }; }, () => undefined), rest_ms);
		return () => { is_gone = true; clearTimeout(soon); };
	}, [b, of, node, width]);
	useEffect(() => {
		if (!canvas.current || !b) return undefined;
		const c = canvas.current;
		const again = (): void => {
			setWidth(c.clientWidth);
			draw(c, b, lanes, (site) => (Number.isFinite(site) ? Math.min(8, placeOfSite(run, site)) : 9));
		};
		again();
		const o = new ResizeObserver(again);
		if (c.parentElement) o.observe(c.parentElement);
		return () => o.disconnect();
	}, [b, from, to, run, lanes]);
	const nodes = lanes?.picture ? new Uint32Array(lanes.picture.shapes).filter((_, i) => i % 6 === 4) : null;
	const open = (to: number): void => put({ page: null, picture: 'structure', node: to }, true);
	/** To the piece of another grain, before or after. */
	const walk = async (by: 1 | -1): Promise<void> => {
		if (!nodes?.length) return;
		// of now, which need not be drawn yet
		const node = getNumber('node', no_node);
		// one grain may have several
		let at = nodes[walked.current] === node ? walked.current : nodes.indexOf(node);
		at = at < 0 ? by > 0 ? 0 : nodes.length - 1 : (at + by + nodes.length) % nodes.length;
		walked.current = at;
		const to = nodes[at] ?? no_node;
		put({ node: to });
		say(told(await run.core.facts(to).catch(() => [])).map((row) => row.join(' ')).join(', '));
	};
	const point = async (at: At | null): Promise<void> => {
		at_pointer.value = at;
		if (at?.node == null) return;
		const facts = await run.core.facts(at.node).catch(() => []);
		if (at_pointer.value === at && facts.length > 0) at_pointer.value = { ...at, rows: told(facts) };
	};
	const move = (zoom: number, shift: number): void => {
		if (!b) return;
		const [from, to] = span(b);
		const n = Math.min((to - from) * zoom, b.n_bins * b.bin_ns);
		const at = Math.max(0, Math.min((from + to - n) / 2 + shift * (to - from), b.n_bins * b.bin_ns - n));
		put(put_range(n >= b.n_bins * b.bin_ns ? null : { from: at, to: at + n }));
	};
	const onKey = (e: KeyboardEvent): void => {
		if (e.key === '.' || e.key === ',') { void walk(e.key === '.' ? 1 : -1); return; }
		if (e.key === 'Enter' && nodes?.includes(getNumber('node', no_node))) { open(getNumber('node', no_node)); return; }
		const step = { w: [0.7, 0], s: [1.4, 0], a: [1, -0.2], d: [1, 0.2], ArrowLeft: [1, -0.2], ArrowRight: [1, 0.2], ArrowUp: [0.7, 0], ArrowDown: [1.4, 0] }[e.key];
		if (!step || e.ctrlKey || e.altKey || e.metaKey) return;
		e.preventDefault();
		e.stopPropagation();
		move(step[0] ?? 1, step[1] ?? 0);
	};
	return (
		<section class="page" aria-labelledby="threads-title">
			<div class="head">
				<h2 id="threads-title">Threads <small>as high as the part of the time that was work, as measured</small></h2>
				<button type="button" onClick={() => move(0.5, 0)}>Closer</button><button type="button" onClick={() => move(2, 0)}>Wider</button>
				<button type="button" onClick={() => move(1, -0.3)}>Earlier</button><button type="button" onClick={() => move(1, 0.3)}>Later</button>
				{b && <a class="button" {...link({ page: 'grains', where: whereOf({ from, to }), place: null })}>Grains of this range</a>}
			</div>
			{lanes && <p class="faint" id="lanes">{nodes ? `${count(lanes.n_grains)} grains and implicit tasks one by one, from begin to end, with what they waited inside; where another one ran inside, that is drawn. What moved is on its first thread.` : 'Too many grains to draw one by one: bins.'}
				{lanes.n_left_out > 0 ? ` ${count(lanes.n_left_out)} grains are not in this file.` : ''}</p>}
			{bins_trouble.value && <p class="faint">{bins_trouble.value}</p>}
			{b && <div class="timeline"><canvas ref={canvas} id="timeline" tabIndex={0} role="application" aria-label="time line of the threads: W and S zoom, A and D move, full stop and comma go to the next grain and the one before, Enter opens it; the table below has the sums" onKeyDown={onKey}
				onPointerMove={(e) => void point(look(run, b, lanes, e.currentTarget.clientWidth, e.offsetX, e.offsetY))} onPointerLeave={() => { at_pointer.value = null; }}
				onClick={(e) => { const at = look(run, b, lanes, e.currentTarget.clientWidth, e.offsetX, e.offsetY); if (at?.node != null) open(at.node); else if (at) put({ page: 'grains', where: `thread == ${at.thread} and ${whereOf(at.range)}`, place: null }, true); }}
				onWheel={(e) => { e.preventDefault(); move(e.deltaY > 0 ? 1.25 : 0.8, 0); }} />
				{at_pointer.value && (
					<div class={`tip${at_pointer.value.x > (canvas.current?.clientWidth ?? 0) - 240 ? ' left' : ''}`} data-node={at_pointer.value.node ?? ''} style={{ left: `${at_pointer.value.x}px`, top: `${at_pointer.value.y}px` }} aria-hidden="true">
						<table><tbody>{at_pointer.value.rows.filter(([, v]) => v !== '').map(([k, v]) => <tr><th scope="row">{k}</th><td>{v}</td></tr>)}</tbody></table>
					</div>
				)}
			</div>}
			{b && <ul class="legend" aria-label="legend">
				{placesByWork(run.report).slice(0, 8).map((p, i) => <li><svg class="swatch" width="14" height="10" aria-hidden="true"><rect width="14" height="10" fill={theme().place[i]} /></svg>{p}</li>)}
				<li class="caveat">a click opens the grain, or shows the grains of that thread then</li>
			</ul>}
			<div class="scroll" tabIndex={0} role="region" aria-label="sums of the threads"><Table rows={run.report.per_thread} elapsed={number(run.report.totals['elapsed_ns'])} /></div>
		</section>
	);
};
