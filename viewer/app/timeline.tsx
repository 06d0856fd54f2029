// SPDX-License-Identifier: MIT
// The recorded timeline: what each thread did, at any zoom. The core draws it; here are axis, window, selection and texts.
import { computed, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { no_node } from '../core/page.ts';
import { column, directory, part_kind } from './directory.ts';
import { told } from './facts.ts';
import { findingPlaces, placesByWork } from './index.ts';
import { fields, number, numbers } from './json.ts';
import { bright, mix, nodeAt, rgb, theme } from './paint.ts';
import { chosenRange, put_range, rangeText, whereOf, type Range } from './pages/common.tsx';
import { placesOf } from './pages/table.ts';
import { isAt } from './report.ts';
import { Sortable, type Column } from './sortable.tsx';
import { finding, get, getNumber, link, put, say, type Run } from './state.ts';
import { colourOf, states } from './states.ts';
import { axis, count, percent, time } from './units.ts';
import type { Lanes } from './worker/lanes.ts';
import type { Extent, Stretch, Sums, TimelinePicture } from './worker/timeline.ts';
import { Embedded } from './source.ts';

const left = 34, axis_height = 20, regions_height = 9, strip = 40;
/** How long after the last movement the address remembers, and grains are looked for. */
const rest_ms = 120;
const n_classes = 16, other = 8, own = 10;
/** A pixel stands for no less than this. */
const least_ns = 0.02;

/** Of the run, and of the one that it is compared with. */
export const extents = signal<(Extent | null)[]>([]);
export const timeline_trouble = signal('');
/** What is in view; null: all. */
const view = signal<Range | null>(null);
const end = computed(() => Math.max(1, ...extents.value.map((e) => e?.end ?? 0)));
const shown = computed<Range>(() => view.value ?? { from: 0, to: end.value });
interface Region extends Range { site: number }
const regions = signal<Region[]>([]);

/** The range that is selected. */
const selected = (): Range | null => {
	const [from, to] = get('range').split(' ').map(Number);
	return from !== undefined && to !== undefined && from < to ? { from, to } : null;
};
const select = (r: Range | null): void => {
	put({ range: r ? `${Math.floor(r.from)} ${Math.ceil(r.to)}` : null });
	say(r ? `selected: ${rangeText(r)}` : 'no range is selected');
};

let opened: Run['container'] | null = null;
let rest = 0;

const show = (r: Range, is_step = false): void => {
	const n = Math.max(Math.min(r.to - r.from, end.value), 1), from = Math.max(0, Math.min(r.from, end.value - n));
	view.value = n >= end.value ? null : { from, to: from + n };
	clearTimeout(rest);
	rest = window.setTimeout(() => put(put_range(view.value), is_step), rest_ms);
};
const zoom = (factor: number, at = 0.5): void => {
	const { from, to } = shown.value, n = Math.max(to - from, 1), next = Math.max(n * factor, Math.min(n, 1500 * least_ns));
	show({ from: from + (n - next) * at, to: from + (n - next) * at + next });
};
const move = (by: number): void => {
	const { from, to } = shown.value;
	show({ from: from + by * (to - from), to: to + by * (to - from) });
};

/** The classes of sites: their places' colours; a place without one has its own if the finding is there. */
const classesOf = (run: Run): Uint8Array => {
	const row = findingPlaces(run.container.index)[finding.value];
	return Uint8Array.from(run.sites.place, (place, site) => {
		const colour = run.sites.colours.get(site) ?? other;
		return colour === other && row !== null && place === row ? own : colour;
	});
};

const load = async (run: Run): Promise<void> => {
	if (opened === run.container) return;
	opened = run.container;
	extents.value = [];
	regions.value = [];
	timeline_trouble.value = '';
	view.value = null;
	try {
		const sites = run.sites.place.length > 0 ? classesOf(run) : new Uint8Array(0);
		const found = [await run.core.call<Extent | null>('timeline.open', 0, sites)];
		if (run.container.index['against']) found.push(await run.core.call<Extent | null>('timeline.open', 1, new Uint8Array(0)));
		if (opened !== run.container) return;
		extents.value = found;
		view.value = chosenRange(end.value);
		if (!found[0]) timeline_trouble.value = run.report.is_imported ? 'An imported table has no start times.' : 'Nothing was recorded of the threads.';
		const parts = (await directory(run.container)).filter((p) => p.kind === part_kind.regions);
		const all: Region[] = [];
		for (const part of parts.slice(0, 4)) {
			const [begin, until, site] = await Promise.all(['begin_ns', 'end_ns', 'site'].map((name) => column(run.container, part, name)));
			begin?.forEach((from, i) => { const to = until?.[i] ?? NaN; if (from < to) all.push({ from, to, site: site?.[i] ?? NaN }); });
		}
		if (opened === run.container) regions.value = all.sort((a, b) => a.from - b.from);
	} catch (error) {
		timeline_trouble.value = error instanceof Error ? error.message : String(error);
	}
};

const pixel = ([r, g, b]: number[]): number => (0xff000000 | (b ?? 0) << 16 | (g ?? 0) << 8 | (r ?? 0)) >>> 0;

/** Of all work: a place that has less would not be seen, and all else would be pale. */
const least_lit = 0.01;
/** Colours as the core writes them. With a finding's class, work elsewhere is pale. */
const paletteOf = (lit: number | null): Uint32Array => {
	const t = theme(), paper = rgb(t.is_dark ? '#14181e' : '#ffffff');
	const work = Array.from({ length: n_classes }, (_, k) => {
		const colour = rgb(bright[k] ?? (k === own ? '#4477aa' : k === other ? '#9fb4cb' : colourOf(states[0]!)));
		return lit === null || lit === k ? colour : mix(colour, paper, 0.55);
	});
	return Uint32Array.from([...work, ...states.map((s) => rgb(colourOf(s))), paper, rgb(t.is_dark ? '#ff6b5e' : '#c4161c')].map(pixel));
};

interface Tip { x: number; y: number; rows: [string, string][]; which: number; is_left: boolean }
const tip = signal<Tip | null>(null);

/** Pixels of a thread and below it, so that all are at most so high, if they can be. */
const sizes = (n: number, most: number): { row: number; gap: number } => {
	const gap = n > 64 ? 1 : n > 16 ? 3 : 5;
	return { gap, row: Math.max(3, Math.min(most > 300 ? 64 : 52, Math.floor(most / n) - gap)) };
};

/** Of a run, by the index alone: the place is there before the data are. */
const threadsOf = (run: Run, which: number): number => {
	const t = fields(run.container.index[which ? 'against' : 'threads']);
	return (number(t['n_bins']) ?? 0) > 0 ? number(t['n_threads']) ?? 0 : 0;
};

/** Do several threads share a row? */
const sharesRows = (run: Run): boolean => numbers(fields(run.container.index['threads'])['row_of_thread']).length > 0;

/** The picture that is in the page before this script (src/view/first_picture.c), until the core has drawn: of the whole run, at most 128 rows. */
let first = globalThis.document?.querySelector<HTMLImageElement>('.timeline img')?.currentSrc;

/** One run's threads on a canvas; it moves and draws outside of Preact. */
class Track {
	private picture: TimelinePicture | null = null;
	private drawn: Range = { from: 0, to: 1 };
	private image: HTMLCanvasElement = document.createElement('canvas');
	private lanes: { picture: Lanes['picture']; n: number; of: string } | null = null;
	private is_busy = false;
	private is_wanted = false;
	private is_gone = false;
	private moved = 0;
	private settled = 0;
	private range: Range | null = null;

	constructor(readonly canvas: HTMLCanvasElement, private readonly run: Run, readonly which: number, private readonly most_height: number) {}

	get extent(): Extent { return extents.value[this.which] ?? { n_threads: 1, end: 1 }; }
	get width(): number { return Math.max(40, this.canvas.clientWidth - left - 1); }
	get gap(): number { return sizes(this.extent.n_threads, this.most_height).gap; }
	get row(): number { return sizes(this.extent.n_threads, this.most_height).row; }
	get top(): number { return axis_height + regions_height; }
	get rows_height(): number { return (this.row + this.gap) * this.extent.n_threads; }
	get height(): number { return this.top + this.rows_height + strip; }

	ask(): void {
		this.is_wanted = true;
		if (!this.is_busy) void this.draw();
	}

	private get lit(): number | null {
		const place = this.run.report.findings[finding.value]?.place;
		if (get('lit') === 'all' || this.which > 0 || !place || !this.run.report.sites.some((s) => isAt(s.place, place) && s.work_ns > least_lit * (number(this.run.report.totals['work_ns']) ?? 0))) return null;
		const row = findingPlaces(this.run.container.index)[finding.value];
		const site = typeof row === 'number' ? this.run.sites.of_place.get(row) : undefined;
		if (site === undefined) return null;
		const colour = this.run.sites.colours.get(site) ?? other;
		return colour === other ? own : colour;
	}

	private async draw(): Promise<void> {
		this.is_busy = true;
		while (this.is_wanted && !this.is_gone) {
			this.is_wanted = false;
			if (!this.extent || this.canvas.clientWidth === 0) break;
			const r = shown.value, scale = devicePixelRatio || 1;
			// large pictures are coarse while they move
			const fine = performance.now() - this.moved < rest_ms && this.width * this.rows_height * scale * scale > 3e6 ? 1 : scale;
			const width = Math.round(this.width * fine);
			try {
				this.picture = await this.run.core.call<TimelinePicture>('timeline.draw', this.which, this.extent.n_threads, { from: r.from, to: r.to,
					width, row: Math.round(this.row * fine), gap: Math.round(this.gap * fine), palette: paletteOf(this.lit) });
			} catch { break; }
			this.drawn = r;
			await new Promise((done) => requestAnimationFrame(done));
			if (this.is_gone) break;
			const from = performance.now();
			this.take(width);
			this.paint();
			this.canvas.style.background = 'none';
			first = '';
			this.canvas.dataset['ms'] = (performance.now() - from).toFixed(2);
			this.canvas.dataset['state'] = this.picture.coming > 0 ? 'coarse' : fine !== scale ? 'moving' : 'exact';
			if (fine !== scale) setTimeout(() => this.ask(), rest_ms);
		}
		this.is_busy = false;
	}

	/** The core's pixels as an image. */
	private take(width: number): void {
		const p = this.picture;
		if (!p) return;
		const data = new ImageData(new Uint8ClampedArray(p.pixels), width);
		if (this.image.width !== data.width || this.image.height !== data.height) { this.image.width = data.width; this.image.height = data.height; }
		this.image.getContext('2d')?.putImageData(data, 0, 0);
	}

	private x(ns: number): number { return left + (ns - this.drawn.from) / (this.drawn.to - this.drawn.from) * this.width; }
	/** The time at a pixel. */
	at(x: number): number { const r = shown.value; return r.from + (x - left) / this.width * (r.to - r.from); }
	share(x: number): number { return Math.max(0, Math.min(1, (x - left) / this.width)); }
	thread(y: number): number { return Math.floor((y - this.top) / (this.row + this.gap)); }

	paint(): void {
		const c = this.canvas.getContext('2d'), t = theme(), scale = devicePixelRatio || 1;
		const w = Math.round(this.canvas.clientWidth * scale), h = Math.round(this.height * scale);
		if (!c || !this.picture) return;
		if (this.canvas.width !== w || this.canvas.height !== h) { this.canvas.width = w; this.canvas.height = h; }
		c.setTransform(scale, 0, 0, scale, 0, 0);
		c.fillStyle = t.paper;
		c.fillRect(0, 0, this.canvas.clientWidth, this.height);
		c.imageSmoothingEnabled = false;
		c.drawImage(this.image, left, this.top, this.width, this.rows_height);
		c.font = `11px ${t.font}`;
		this.paintAxis(c);
		this.paintRegions(c);
		this.paintGrains(c);
		this.paintThreads(c);
		this.paintWorking(c);
		this.paintRange(c);
	}

	private paintAxis(c: CanvasRenderingContext2D): void {
		const t = theme(), { from, to } = this.drawn, a = axis(from, to, Math.max(2, Math.floor(this.width / 110)));
		c.fillStyle = t.faint;
		c.textAlign = 'left';
		let free = 0;
		for (const tick of a.ticks) {
			const x = this.x(tick.at), n = c.measureText(tick.text).width;
			c.fillRect(x, axis_height - 5, 1, 4);
			const at = Math.min(Math.max(left, x - n / 2), left + this.width - n);
			if (at < free) continue;
			free = at + n + 10;
			c.fillText(tick.text, at, axis_height - 8);
		}
		if (a.base) this.canvas.dataset['base'] = a.base; else delete this.canvas.dataset['base'];
	}

	private paintRegions(c: CanvasRenderingContext2D): void {
		if (this.which > 0) return;
		const t = theme(), all = regions.value;
		c.fillStyle = t.line;
		let drawn = -1;
		for (const r of all) {
			if (r.to < this.drawn.from || r.from > this.drawn.to) continue;
			const x = Math.max(left, this.x(r.from)), to = Math.min(left + this.width, this.x(r.to));
			// between neighbours there is paper, where there is room
			const n = Math.max(1, to - x - 1);
			if (x + n <= drawn + 0.5) continue;
			c.fillRect(x, axis_height + 1, n, 3);
			drawn = x + n;
		}
	}

	/** Each grain's borders: of paper, and so thin that they do not read as gaps. */
	private paintGrains(c: CanvasRenderingContext2D): void {
		const p = this.lanes?.picture, t = theme(), node = getNumber('node', no_node);
		if (!p || this.lanes?.of !== JSON.stringify(this.drawn)) return;
		const f = new Float32Array(p.shapes), u = new Uint32Array(p.shapes);
		c.fillStyle = t.paper;
		for (let i = 0; i < f.length; i += 6) {
			const x = left + (f[i] ?? 0), y = this.top + (f[i + 1] ?? 0), w = f[i + 2] ?? 0, border = Math.min(0.7, w / 34);
			if (w > 4) { c.fillRect(x, y, border, this.row); c.fillRect(x + w, y, border, this.row); }
			if (u[i + 4] === node) { c.strokeStyle = t.accent; c.lineWidth = 2; c.strokeRect(x, y, Math.max(2, w), this.row); }
		}
	}

	private paintThreads(c: CanvasRenderingContext2D): void {
		const t = theme(), pitch = this.row + this.gap, every = Math.ceil(11 / pitch);
		c.fillStyle = t.faint;
		c.textAlign = 'right';
		for (let k = 0; k < this.extent.n_threads; k += every) c.fillText(String(k), left - 6, this.top + k * pitch + this.row / 2 + 4);
	}

	private paintWorking(c: CanvasRenderingContext2D): void {
		const t = theme(), p = this.picture, base = this.top + this.rows_height + strip - 6, high = strip - 14, n = this.extent.n_threads;
		if (!p) return;
		const wide = this.width / p.working.length, y = (v: number): number => base - v / n * high;
		c.fillStyle = t.line;
		c.globalAlpha = 0.4;
		c.fillRect(left, base, this.width, 1);
		c.fillRect(left, base - high, this.width, 1);
		c.globalAlpha = 1;
		c.strokeStyle = c.fillStyle = colourOf(states[0]!);
		c.lineWidth = 1;
		c.beginPath();
		p.working.forEach((v, i) => { c.lineTo(left + i * wide, y(v)); c.lineTo(left + (i + 1) * wide, y(v)); });
		c.stroke();
		c.lineTo(left + this.width, base); c.lineTo(left, base);
		c.globalAlpha = 0.16;
		c.fill();
		c.globalAlpha = 1;
		c.fillStyle = t.faint;
		c.textAlign = 'right';
		c.fillText(String(n), left - 6, base - high + 4);
		c.fillText('0', left - 6, base + 4);
	}

	private paintRange(c: CanvasRenderingContext2D): void {
		const r = this.range ?? selected(), t = theme();
		if (!r) return;
		const x = Math.max(left, this.x(r.from)), to = Math.min(left + this.width, this.x(r.to));
		if (to <= x) return;
		c.fillStyle = t.accent;
		c.globalAlpha = 0.12;
		c.fillRect(x, this.top, to - x, this.rows_height);
		c.globalAlpha = 1;
		c.fillRect(x, this.top, 1, this.rows_height);
		c.fillRect(to - 1, this.top, 1, this.rows_height);
		c.fillRect(x, axis_height - 2, to - x, 2);
	}

	/** The window is another: it is drawn, and when it rests, grains are looked for. */
	changed(): void {
		this.moved = performance.now();
		this.ask();
		clearTimeout(this.settled);
		this.settled = window.setTimeout(() => void this.look(), rest_ms + 30);
	}

	private async look(): Promise<void> {
		const r = shown.value;
		if (this.which > 0 || this.is_gone) return;
		const l = await this.run.core.call<Lanes>('lanes', { from: r.from, to: r.to, width: this.width, row: this.row + this.gap, n_threads: this.extent.n_threads, selected: getNumber('node', no_node) }).catch(() => null);
		if (!l || r !== shown.value) return;
		this.lanes = { picture: l.picture, n: l.n_grains, of: JSON.stringify(r) };
		this.canvas.dataset['grains'] = l.picture ? String(l.n_grains) : '';
		this.paint();
	}

	/** The grains drawn, each once, though it may have several parts. */
	get nodes(): number[] | null {
		const p = this.lanes?.picture;
		return p ? [...new Set(new Uint32Array(p.shapes).filter((_, i) => i % 6 === 4))] : null;
	}

	hit(x: number, y: number): number | null {
		return this.lanes?.picture && this.lanes.of === JSON.stringify(shown.value) ? nodeAt(this.lanes.picture, x - left, y - this.top) : null;
	}

	async hover(x: number, y: number): Promise<void> {
		const thread = this.thread(y), at = this.at(x);
		if (x < left || thread < 0 || thread >= this.extent.n_threads) { tip.value = null; return; }
		const node = this.hit(x, y), s = await this.run.core.call<Stretch | null>('timeline.at', this.which, thread, at).catch(() => null);
		if (!s) { tip.value = null; return; }
		const place = this.which === 0 ? placesOf(this.run)[this.run.sites.place[s.site] ?? -1]?.label ?? '' : '';
		const parts = states.map((k, i): [string, number] => [k.title, s.sums[i] ?? 0]).filter(([, ns]) => ns > 0).sort((a, b) => b[1] - a[1]).slice(0, 5);
		const rows: [string, string][] = [[sharesRows(this.run) ? 'row' : 'thread', String(thread)], ['from', time(s.from)], ['for', time(s.to - s.from)],
			...parts.map(([name, ns]): [string, string] => [name, `${time(ns)}, ${percent(ns, s.to - s.from)}`]), ...place ? [['work at', place] as [string, string]] : []];
		const facts = node === null ? [] : told(await this.run.core.facts(node).catch(() => []));
		if (!this.is_gone) tip.value = { x, y, which: this.which, is_left: x > this.canvas.clientWidth - 260, rows: facts.length > 0 ? [...rows.slice(0, 1), ...facts.slice(0, 8)] : rows };
	}

	/** While a range is drawn. */
	set selecting(r: Range | null) { this.range = r; this.paint(); }

	gone(): void { this.is_gone = true; clearTimeout(this.settled); }
}

/** To a grain, or the time of a thread. */
const open = (node: number): void => put({ page: null, picture: null, node }, true);

/** Wheel, drag, pinch and clicks. */
const listen = (canvas: HTMLCanvasElement, track: Track): (() => void) => {
	const off = new AbortController();
	const on = <K extends keyof HTMLElementEventMap>(type: K, f: (e: HTMLElementEventMap[K]) => void, passive = true): void =>
		canvas.addEventListener(type, f, { signal: off.signal, passive });
	const fingers = new Map<number, number>();
	let from: { x: number; y: number; at: number; selects: boolean } | null = null, is_dragged = false, hover = 0;
	on('wheel', (e) => {
		e.preventDefault();
		tip.value = null;
		if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) move((e.deltaX || e.deltaY) / track.width);
		else zoom(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) * 0.004), track.share(e.offsetX));
	}, false);
	on('pointerdown', (e) => {
		if (e.button !== 0) return;
		fingers.set(e.pointerId, e.offsetX);
		is_dragged = fingers.size > 1;
		from = { x: e.offsetX, y: e.offsetY, at: track.at(e.offsetX), selects: e.shiftKey || e.offsetY < axis_height };
		canvas.setPointerCapture(e.pointerId);
	});
	on('pointermove', (e) => {
		clearTimeout(hover);
		if (!from) { hover = window.setTimeout(() => void track.hover(e.offsetX, e.offsetY), 40); return; }
		const before = fingers.get(e.pointerId) ?? e.offsetX;
		if (fingers.size === 2) {
			const other = [...fingers].find(([id]) => id !== e.pointerId)?.[1] ?? 0;
			zoom(Math.max(8, Math.abs(before - other)) / Math.max(8, Math.abs(e.offsetX - other)), track.share((e.offsetX + other) / 2));
		} else if (!is_dragged && Math.abs(e.offsetX - from.x) < 4) return;
		else if (from.selects) track.selecting = { from: Math.min(from.at, track.at(e.offsetX)), to: Math.max(from.at, track.at(e.offsetX)) };
		else move((before - e.offsetX) / track.width);
		is_dragged = true;
		tip.value = null;
		fingers.set(e.pointerId, e.offsetX);
	});
	on('pointerup', (e) => {
		fingers.delete(e.pointerId);
		if (from?.selects && is_dragged) {
			const at = track.at(e.offsetX);
			select({ from: Math.max(0, Math.min(from.at, at)), to: Math.max(from.at, at) });
			track.selecting = null;
		} else if (from && !is_dragged) {
			const node = track.hit(e.offsetX, e.offsetY);
			if (node !== null) open(node); else { select(null); track.ask(); }
		}
		if (fingers.size === 0) from = null;
	});
	on('pointercancel', (e) => { fingers.delete(e.pointerId); from = null; track.selecting = null; });
	on('pointerleave', () => { clearTimeout(hover); tip.value = null; });
	on('dblclick', (e) => zoom(0.25, track.share(e.offsetX)));
	return () => { clearTimeout(hover); off.abort(); };
};

/** To another grain that is drawn, before or after. */
const walk = async (run: Run, track: Track, by: 1 | -1): Promise<void> => {
	const nodes = track.nodes;
	if (!nodes?.length) { say('zoom in until single grains are drawn'); return; }
	const at = nodes.indexOf(getNumber('node', no_node));
	const to = nodes[at < 0 ? by > 0 ? 0 : nodes.length - 1 : (at + by + nodes.length) % nodes.length] ?? no_node;
	put({ node: to });
	track.paint();
	say(told(await run.core.facts(to).catch(() => [])).map((row) => row.join(' ')).join(', '));
};

const onKey = (run: Run, track: Track) => (e: KeyboardEvent): void => {
	if (e.ctrlKey || e.altKey || e.metaKey) return;
	const node = getNumber('node', no_node);
	const does: Record<string, () => void> = {
		w: () => zoom(0.7), s: () => zoom(1 / 0.7), a: () => move(-0.2), d: () => move(0.2), ArrowUp: () => zoom(0.7), ArrowDown: () => zoom(1 / 0.7), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
		'.': () => void walk(run, track, 1), ',': () => void walk(run, track, -1), r: () => { select(selected() ? null : shown.value); track.paint(); }, '0': () => show({ from: 0, to: end.value }),
		Enter: () => { if (track.nodes?.includes(node)) open(node); },
	};
	const f = does[e.key.length === 1 ? e.key.toLowerCase() : e.key];
	if (!f) return;
	e.preventDefault();
	e.stopPropagation();
	f();
};

const Threads = ({ run, which, height, label }: { run: Run; which: number; height: number; label: string }) => {
	const canvas = useRef<HTMLCanvasElement>(null);
	const track = useRef<Track | null>(null);
	const has = Boolean(extents.value[which]);
	useEffect(() => {
		if (!canvas.current || !has) return undefined;
		const t = new Track(canvas.current, run, which, height);
		track.current = t;
		const stop = listen(canvas.current, t);
		const key = onKey(run, t);
		canvas.current.addEventListener('keydown', key);
		const resize = new ResizeObserver(() => t.changed());
		resize.observe(canvas.current);
		const scheme = matchMedia('(prefers-color-scheme: dark)');
		const again = (): void => t.ask();
		scheme.addEventListener('change', again);
		const more = run.core.onmore(again);
		const forget = shown.subscribe(() => t.changed());
		return () => { stop(); canvas.current?.removeEventListener('keydown', key); resize.disconnect(); scheme.removeEventListener('change', again); more(); forget(); t.gone(); };
	}, [run, which, has, height]);
	useEffect(() => track.current?.ask(), [finding.value, get('lit'), get('range'), regions.value, get('node')]);
	const at = tip.value, n = threadsOf(run, which), { row, gap } = sizes(n, height), rows_height = (row + gap) * n;
	const background = first && !which && n <= 128 && run.container.source instanceof Embedded && !get('from') ? `url(${first}) ${left}px ${axis_height + regions_height}px / calc(100% - ${left + 1}px) ${rows_height}px no-repeat` : undefined;
	return (
		<div class="timeline">
			<canvas ref={canvas} style={{ height: `${axis_height + regions_height + rows_height + strip}px`, background }} id={which ? 'timeline-reference' : 'timeline'} tabIndex={0} role="application" aria-label={`${label}: W and S zoom, A and D move, R selects the range in view, full stop and comma go to the next grain and the one before, Enter opens it; the table below has the sums`} />
			{at?.which === which && <div class={`tip${at.is_left ? ' left' : ''}`} style={{ left: `${at.x}px`, top: `${at.y}px` }} aria-hidden="true">
				<table><tbody>{at.rows.map(([k, v]) => <tr><th scope="row">{k}</th><td>{v}</td></tr>)}</tbody></table>
			</div>}
		</div>
	);
};

const sums = signal<{ of: string; rows: Sums[] } | null>(null);

/** What threads did in a range of time. */
export const SumsTable = ({ run, r }: { run: Run; r: Range }) => {
	const n = extents.value[0]?.n_threads ?? 0, of = `${r.from} ${r.to} ${n}`;
	useEffect(() => { if (n > 0) run.core.call<Sums[]>('timeline.sums', 0, n, r.from, r.to).then((rows) => { sums.value = { of, rows }; }, () => undefined); }, [run, of]);
	const rows = sums.value?.of === of ? sums.value.rows : [], shared = sharesRows(run);
	const length = r.to - r.from;
	const used = states.map((s, k): [string, number] => [s.title, k]).filter(([, k]) => rows.some((x) => (x[k] ?? 0) >= 0.5));
	const all: Sums = states.map((_, k) => rows.reduce((sum, x) => sum + (x[k] ?? 0), 0));
	const columns: Column<{ name: string; of: Sums; whole: number }>[] = [
		{ title: shared ? 'row' : 'thread', what: shared ? 'threads whose time does not overlap share a row' : 'number of the thread', text: (x) => x.name, value: (x) => Number(x.name), is_head: true },
		...used.map(([title, k]): Column<{ name: string; of: Sums; whole: number }> => ({ title, text: (x) => `${time(x.of[k] ?? 0)}, ${percent(x.of[k] ?? 0, x.whole)}`, value: (x) => x.of[k] ?? 0 })),
	];
	return <Sortable id="timeline-sums" label={`what the threads did, ${rangeText(r)}`} columns={columns} rows={rows.map((x, i) => ({ name: String(i), of: x, whole: length }))} foot={{ name: 'all', of: all, whole: length * rows.length }} />;
};

const Legend = ({ run }: { run: Run }) => {
	const places = placesByWork(run.report), t = theme();
	const swatch = (colour: string | undefined) => <i class="swatch" style={{ background: colour }} aria-hidden="true" />;
	return (
		<ul class="legend" aria-label="places of the work, and lines">
			{places.slice(0, bright.length).map((p, i) => <li>{swatch(bright[i])}work at {p}</li>)}
			{places.length > bright.length && <li>{swatch('#9fb4cb')}work elsewhere</li>}
			<li><i class="swatch line" style={{ background: t.critical }} aria-hidden="true" />below a thread: critical path</li>
			<li><i class="swatch line" style={{ background: t.line }} aria-hidden="true" />on top: parallel regions</li>
			<li><i class="swatch line" style={{ background: colourOf(states[0]!) }} aria-hidden="true" />at the foot: threads working</li>
		</ul>
	);
};

const Buttons = ({ children }: { children?: ComponentChildren }) => (
	<span class="tools">
		{children}
		<button type="button" title="Zoom in (W, or the wheel)" aria-label="zoom in" onClick={() => zoom(0.5)}>+</button>
		<button type="button" title="Zoom out (S)" aria-label="zoom out" onClick={() => zoom(2)}>{'\u2212'}</button>
		<button type="button" title="Show the whole run (0)" disabled={!view.value} onClick={() => show({ from: 0, to: end.value }, true)}>All</button>
	</span>
);

/** The timeline of the run, and of the one it is compared with, on one axis. */
export const Timeline = ({ run, height, is_page }: { run: Run; height: number; is_page: boolean }) => {
	useEffect(() => { void load(run); }, [run]);
	useEffect(() => {
		if (extents.value.length > 0) void run.core.call('timeline.sites', classesOf(run)).catch(() => undefined);
	}, [run, finding.value, run.sites, extents.value]);
	const r = selected(), has_two = threadsOf(run, 1) > 0, has_one = threadsOf(run, 0) > 0;
	return (
		<section class="recorded" aria-labelledby="timeline-title">
			<div class="head">
				<h2 id="timeline-title" title="What each thread did, stacked by its share of each column of pixels">Timeline {timeline_trouble.value === '' && <small>recorded; wheel: zoom, drag: move, Shift and drag: select</small>}</h2>
				{timeline_trouble.value === '' && <Buttons>
					{r && <><button type="button" title="Zoom to the selected range" onClick={() => show(r, true)}>Zoom to range</button>
						<a class="button" title="The table of grains that ran in the range" {...link({ page: 'grains', where: whereOf(r), place: null })}>Grains in range</a>
						<button type="button" title="Select nothing" onClick={() => select(null)}>Clear</button></>}
				</Buttons>}
			</div>
			{timeline_trouble.value && <p class="faint" id="no-timeline">{timeline_trouble.value}</p>}
			{has_two && <h3>A, the reference run</h3>}
			{has_two && <Threads run={run} which={1} height={height / 2} label="timeline of the reference run" />}
			{has_two && <h3>B, this run</h3>}
			{has_one && <Threads run={run} which={0} height={has_two ? height / 2 : height} label="timeline of the threads" />}
			{has_one && <Legend run={run} />}
			{extents.value[0] && (r || is_page) && <>
				<h3 id="sums-title">{r ? `Selected: ${rangeText(r)} (${time(r.to - r.from)})` : `The whole run, ${count(extents.value[0].n_threads)} ${sharesRows(run) ? 'rows: threads that do not overlap share one' : 'threads'}`}</h3>
				<SumsTable run={run} r={r ?? { from: 0, to: end.value }} />
			</>}
		</section>
	);
};
