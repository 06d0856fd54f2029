// SPDX-License-Identifier: MIT
// The picture of the run: the work map or the structure, with what leads through it.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { around, fit, keep, pan, read, write, zoom, type Frame, type Size } from './camera.ts';
import type { Core } from './core.ts';
import { cores, findingNodes, findingPlaces, placesByWork } from './index.ts';
import { metricsOf, onJudged, shownMetric } from './judging.ts';
import { Legend } from './legend.tsx';
import { idOf, told } from './facts.ts';
import { nodeAt, paint, theme, tinted, type Theme } from './paint.ts';
import { related } from './related.tsx';
import { isAt } from './report.ts';
import { finding, get, getNumber, page, put, say, trouble, type Run } from './state.ts';
import { Threshold } from './threshold.tsx';
import { axis } from './units.ts';
import { problemTitle } from './words.ts';
import type { Related } from './worker/related.ts';
import { all_problems, no_node, type Fact, type Picture as Shapes, type Step, type View, type Way } from '../core/page.ts';

/** How long after the last movement it is drawn finely. */
const rest_ms = 100;
/** How long a structure is seen whole before it shows what it opens on. */
const whole_ms = 700;
/** Structures stay whole unless they would be smaller than this. */
const least_scale = 0.34;

interface Tip {
	x: number;
	y: number;
	/** Beside the pointer, where there is room. */
	is_left: boolean;
	is_up: boolean;
	facts: Fact[];
}

export const tip = signal<Tip | null>(null);
export const path = signal<Step[]>([]);
/** What is told of the node that is selected. */
export const chosen = signal<Fact[]>([]);
let chosen_node: number = no_node;
const drawn_text = signal('');

/** The graph's structure, or its ideal schedule. */
export const isStructure = (): boolean => get('picture') !== 'map';

const listOf = (key: string): number[] => get(key).split(' ').filter((x) => x !== '').map(Number).filter(Number.isFinite).sort((a, b) => a - b);

/** Are there grains at the place of the finding? Else highlighting it would dim all. */
const hasGrains = (run: Run): boolean => {
	const place = run.report.findings[finding.value]?.place;
	return place !== undefined && run.report.sites.some((s) => isAt(s.place, place));
};

/** What moves and draws; one per canvas, outside of Preact. */
export class Stage {
	world: Size = { width: 1, height: 1 };
	frame: Frame | null = null;
	private picture: Shapes | null = null;
	private lacks = '';
	private n_related = 0;
	private is_coming = false;
	private is_busy = false;
	private is_wanted = false;
	private is_moving = false;
	private rest = 0;
	private opens = 0;
	private overview: ImageBitmap | null = null;
	private overview_of = '';
	private is_gone = false;
	readonly core: Core;

	constructor(private readonly canvas: HTMLCanvasElement, private readonly minimap: HTMLCanvasElement, private readonly run: Run) { this.core = run.core; chosen.value = []; chosen_node = no_node; }

	get size(): Size {
		return { width: Math.max(1, this.canvas.clientWidth), height: Math.max(1, this.canvas.clientHeight) };
	}

	get is_structure(): boolean { return isStructure(); }
	get whole(): Frame { return fit(this.world, this.size, this.is_structure); }

	view(frame: Frame | null, size: Size, is_moving: boolean): View {
		const f = frame ?? { x: 0, y: 0, w: 1, h: 1 };
		return {
			picture: this.is_structure ? 'structure' : 'map', ...f, width: size.width, height: size.height, root: getNumber('root', 0),
			selected: this.chosen, site: this.lit(), problem: getNumber('problem', all_problems),
			tint: this.tint + 1, moving: is_moving, dependences: get('dependences') === 'yes', log: get('lengths') === 'log', open: listOf('open'), closed: listOf('closed'),
		};
	}

	/** The node that is selected; the structure opens on the way to an example of the finding otherwise. */
	private get chosen(): number {
		const node = getNumber('node', no_node);
		return node !== no_node || !this.is_structure ? node : findingNodes(this.run.container.index)[finding.value] ?? no_node;
	}

	/** The place whose colour problems have; -1: none. */
	private get tint(): number { return shownMetric(this.run)?.colour ?? -1; }
	private get theme(): Theme { return tinted(theme(), this.tint); }

	/** A site of the place of the finding that is looked at; the rest is dim. */
	private lit(): number {
		if (get('lit') === 'all' || page.value === 'metrics' || !hasGrains(this.run)) return no_node;
		const row = findingPlaces(this.run.container.index)[finding.value];
		return (typeof row === 'number' ? this.run.sites.of_place.get(row) : undefined) ?? no_node;
	}

	/** Draws soon; movements first coarsely, then finely when they rest. */
	ask(is_moving: boolean): void {
		this.is_wanted = true;
		if (is_moving) {
			this.is_moving = true;
			clearTimeout(this.rest);
			this.rest = window.setTimeout(() => { this.is_moving = false; this.remember(); this.ask(false); }, rest_ms);
		}
		if (!this.is_busy) void this.draw();
	}

	private async draw(): Promise<void> {
		this.is_busy = true;
		try {
			while (this.is_wanted && !this.is_gone) {
				this.is_wanted = false;
				const size = this.size;
				if (!this.frame) this.frame = read(get('frame'));
				const d = await this.core.draw({ ...this.view(this.frame, size, this.is_moving), brings: this.frame !== null && !this.is_moving });
				const is_first = this.frame === null || d.width !== this.world.width || d.height !== this.world.height;
				this.world = { width: d.width, height: d.height };
				if (is_first && !read(get('frame'))) {
					await this.openWhole();
					this.is_wanted = true;
					continue;
				}
				await new Promise((done) => requestAnimationFrame(done));
				this.picture = d.picture;
				this.lacks = d.coming > 0 ? `${d.coming} parts to come` : d.absent > 0 ? `${d.absent} parts of it are not in this file` : d.picture.needs.length > 0 ? 'more than fits: zoom in' : '';
				this.is_coming = d.coming > 0;
				this.paint(size);
			}
		} catch (error) {
			drawn_text.value = error instanceof Error ? error.message : String(error);
		}
		this.is_busy = false;
	}

	/** All of it is seen first; then what it opens on, unless something else is looked at by then. */
	private async openWhole(): Promise<void> {
		const whole = this.frame = this.whole, to = await this.opening();
		clearTimeout(this.opens);
		this.opens = to === whole || page.value === 'metrics' ? 0 : window.setTimeout(() => {
			this.opens = 0;
			if (this.frame === whole) this.frame = to;
			this.ask(false);
		}, whole_ms);
	}

	/** All of it; of a structure that would be too small to see, the way to what it opens on. */
	private async opening(): Promise<Frame> {
		const whole = this.frame ?? this.whole;
		if (!this.is_structure || whole.w * least_scale < this.size.width) return whole;
		const r = await this.core.frame(this.view(whole, this.size, false), this.chosen);
		return r ? around({ x: r.x - 400, y: r.y - 250, w: r.w + 800, h: r.h + 500 }, whole, this.size, true) : whole;
	}

	private paint(size: Size): void {
		const scale = devicePixelRatio || 1;
		const w = Math.round(size.width * scale);
		const h = Math.round(size.height * scale);
		if (this.canvas.width !== w || this.canvas.height !== h) { this.canvas.width = w; this.canvas.height = h; }
		const c = this.canvas.getContext('2d');
		if (!c || !this.picture) return;
		const from = performance.now();
		paint(c, this.picture, size.width, size.height, { by_place: get('colour') === 'place', is_structure: this.is_structure, scale }, this.theme);
		if (!this.is_structure && this.frame) this.paintAxes(c, this.frame, size);
		const n = this.picture.shapes.byteLength / 24;
		drawn_text.value = this.lacks;
		this.canvas.dataset['ms'] = (performance.now() - from).toFixed(2);
		this.canvas.dataset['shapes'] = String(n);
		this.canvas.dataset['state'] = this.is_moving ? 'moving' : this.is_coming || this.opens ? 'coarse' : this.lacks ? 'partial' : 'exact';
		void this.drawMinimap();
	}

	/** Of the ideal schedule: CPUs across, all of one width, and time down. */
	private paintAxes(c: CanvasRenderingContext2D, f: Frame, size: Size): void {
		const t = theme(), x = (cpu: number): number => (cpu - f.x) / f.w * size.width, y = (ns: number): number => (ns - f.y) / f.h * size.height;
		const write = (text: string, at_x: number, at_y: number): void => {
			c.strokeStyle = t.paper; c.lineWidth = 3; c.lineJoin = 'round'; c.fillStyle = t.ink;
			c.strokeText(text, at_x, at_y); c.fillText(text, at_x, at_y);
		};
		c.font = `11px ${t.font}`;
		c.textAlign = 'center';
		const every = Math.ceil(50 / (size.width / f.w));
		for (let cpu = Math.max(0, Math.floor(f.x)); cpu <= Math.min(this.world.width, f.x + f.w); cpu++) {
			c.fillStyle = t.line; c.globalAlpha = 0.5;
			c.fillRect(x(cpu), 0, 1, size.height);
			c.globalAlpha = 1;
			if (cpu % every === 0 && cpu < this.world.width) write(`CPU ${cpu}`, x(Math.min(cpu + 0.5, (cpu + Math.min(cpu + 1, this.world.width)) / 2)), 12);
		}
		c.textAlign = 'left';
		for (const tick of axis(Math.max(0, f.y), Math.min(this.world.height, f.y + f.h), Math.max(2, Math.floor(size.height / 70))).ticks) {
			c.fillStyle = t.line; c.globalAlpha = 0.5;
			c.fillRect(0, y(tick.at), size.width, 1);
			c.globalAlpha = 1;
			write(tick.text, 4, y(tick.at) + (tick.at === 0 ? 24 : -4));
		}
	}

	private async drawMinimap(): Promise<void> {
		const m = this.minimap;
		const size = { width: m.clientWidth, height: m.clientHeight };
		const c = m.getContext('2d');
		if (!c || size.width < 4) return;
		const scale = devicePixelRatio || 1;
		const look = { by_place: get('colour') === 'place', is_structure: this.is_structure, scale };
		const whole = fit(this.world, size, false);
		const key = JSON.stringify([this.view(whole, size, true), look, theme().paper, this.picture?.needs.length === 0]);
		if (key !== this.overview_of && !this.is_moving) {
			this.overview_of = key;
			m.width = size.width * scale; m.height = size.height * scale;
			// structures have a least size: they are drawn larger, and made small
			const by = this.is_structure ? 6 : 1;
			const large = { width: size.width * by, height: size.height * by };
			const d = await this.core.draw(this.view(whole, large, true));
			paint(c, { ...d.picture, texts: [] }, large.width, large.height, { ...look, scale: scale / by }, this.theme);
			this.overview = await createImageBitmap(m);
		}
		if (!this.overview || !this.frame) return;
		c.setTransform(1, 0, 0, 1, 0, 0);
		c.drawImage(this.overview, 0, 0);
		c.setTransform(scale, 0, 0, scale, 0, 0);
		const f = this.frame;
		const x = (f.x - whole.x) / whole.w * size.width, y = (f.y - whole.y) / whole.h * size.height;
		c.strokeStyle = theme().accent; c.lineWidth = 2;
		// as far as it is on the map
		const [left, right] = [x, x + Math.max(4, f.w / whole.w * size.width)].map((v) => Math.max(1, Math.min(size.width - 1, v))) as [number, number];
		const [top, bottom] = [y, y + Math.max(4, f.h / whole.h * size.height)].map((v) => Math.max(1, Math.min(size.height - 1, v))) as [number, number];
		c.strokeRect(left, top, right - left, bottom - top);
	}

	moveMinimap(px: number, py: number): void {
		const whole = fit(this.world, { width: this.minimap.clientWidth, height: this.minimap.clientHeight }, false);
		const f = this.frame;
		if (f) this.go({ ...f, x: whole.x + px / this.minimap.clientWidth * whole.w - f.w / 2, y: whole.y + py / this.minimap.clientHeight * whole.h - f.h / 2 });
	}

	private remember(): void {
		const f = this.frame;
		const w = this.whole;
		put({ frame: !f || Math.abs(f.w - w.w) + Math.abs(f.h - w.h) < 1e-6 * (w.w + w.h) ? null : write(f) });
	}

	go(to: Frame): void {
		this.frame = keep(to, this.world, this.whole);
		tip.value = null;
		this.ask(true);
	}

	panBy(dx: number, dy: number): void { if (this.frame) this.go(pan(this.frame, dx, dy, this.size)); }
	zoomBy(factor: number, x = this.size.width / 2, y = this.size.height / 2): void { if (this.frame) this.go(zoom(this.frame, factor, x, y, this.size)); }
	reset(): void { this.frame = null; put({ frame: null }); this.ask(false); }

	/** The picture as a file: as a document from the core, or the pixels as they are. */
	async save(kind: 'svg' | 'png'): Promise<void> {
		const blob = kind === 'svg'
			? new Blob([await this.core.svg(this.view(this.frame, this.size, false))], { type: 'image/svg+xml' })
			: await new Promise<Blob | null>((done) => this.canvas.toBlob(done, 'image/png'));
		if (!blob) return;
		const url = URL.createObjectURL(blob);
		const a = document.createElement('a');
		a.href = url;
		a.download = `${this.is_structure ? 'graph' : 'ideal-schedule'}.${kind}`;
		a.click();
		setTimeout(() => URL.revokeObjectURL(url), 1000);
		say(`saved ${a.download}`);
	}

	hit(x: number, y: number): number | null { return this.picture ? nodeAt(this.picture, x, y) : null; }

	async select(node: number | null): Promise<void> {
		chosen_node = node ?? no_node;
		put({ node });
		void this.relate();
		this.ask(false);
		if (node === null) { path.value = []; chosen.value = []; return; }
		try {
			const [facts, steps] = await Promise.all([this.core.facts(node), this.core.path(node)]);
			path.value = steps;
			chosen.value = facts;
			if (getNumber('node', no_node) === node) put({ node, id: idOf(facts) });
			say(told(facts).map(([name, value]) => `${name} ${value}`).join(', '));
		} catch (error) {
			say(error instanceof Error ? error.message : String(error));
		}
	}

	/** Grains are judged otherwise: what is drawn and told is found anew. */
	async changed(): Promise<void> {
		this.overview_of = '';
		this.ask(false);
		const node = getNumber('node', no_node);
		if (node !== no_node && chosen.value.length > 0) chosen.value = await this.core.facts(node).catch(() => chosen.value);
	}

	toggleDependences(): void {
		put({ dependences: get('dependences') === 'yes' ? null : 'yes' });
		void this.relate();
		this.ask(false);
	}

	/** Looks for what the selected node depends on, and what on it, where that is wanted. */
	private async relate(): Promise<void> {
		const own = ++this.n_related, node = get('dependences') === 'yes' ? getNumber('node', no_node) : no_node;
		related.value = null;
		try {
			await this.core.call('related', node === no_node ? null : node);
			if (node === no_node) return;
			for (let r: Related | null = null; !r?.is_done;) {
				r = await this.core.call<Related | null>('related.step');
				if (!r || own !== this.n_related || this.is_gone) return;
				related.value = r;
			}
			this.ask(false);
		} catch (error) {
			say(error instanceof Error ? error.message : String(error));
		}
	}

	/** What the address selects: by its id, which is the same in other recordings of the program, where it has one. */
	async arrive(): Promise<void> {
		const id = get('id'), node = getNumber('node', no_node);
		if (id === '' ? node === no_node || node === chosen_node : id === idOf(chosen.value)) return;
		let to = node;
		if (id !== '') {
			const { nodes: [found], is_exact } = await this.core.seek(id, 1);
			if (this.is_gone || get('id') !== id) return;
			if (!is_exact || found === undefined) {
				trouble.value = `nothing is called ${id} in this recording`;
				put({ node: null });
				return;
			}
			to = found;
			if (to !== node) { put({ node: to, id, frame: null, open: null, closed: null, root: null }); this.frame = null; }
		}
		await this.select(to);
		if (id !== '' && to === node) return;
		while (!this.picture && !this.is_gone) await new Promise((done) => setTimeout(done, rest_ms));
		await this.show(to);
	}

	/** Brings a node into view. */
	async show(node: number): Promise<void> {
		const r = await this.core.frame(this.view(this.frame, this.size, false), node);
		if (r) this.go(around(r, this.whole, this.size, this.is_structure));
	}

	async walk(way: Way): Promise<void> {
		const next = await this.core.step(getNumber('node', way === 'changed' ? no_node : 0), way, getNumber('problem', all_problems));
		if (next === null) { say('there is none'); return; }
		await this.select(next);
		if (way === 'critical' || way === 'problem' || way === 'similar' || way === 'changed') await this.show(next);
	}

	async open(): Promise<void> {
		const node = getNumber('node', 0);
		if (this.is_structure) {
			put({ open: [...new Set([...listOf('open'), node])].join(' '), closed: listOf('closed').filter((n) => n !== node).join(' ') }, true);
			this.ask(false);
		} else await this.show(node);
	}

	async back(): Promise<void> {
		const node = getNumber('node', 0);
		if (this.is_structure && listOf('open').includes(node)) {
			put({ open: listOf('open').filter((n) => n !== node).join(' '), closed: [...new Set([...listOf('closed'), node])].join(' ') }, true);
			this.ask(false);
			return;
		}
		const parent = await this.core.step(node, 'parent', all_problems);
		if (parent === null) { this.reset(); return; }
		await this.select(parent);
		if (!this.is_structure) await this.show(parent);
	}

	async hover(x: number, y: number): Promise<void> {
		const node = this.hit(x, y);
		if (node === null) { tip.value = null; return; }
		const facts = await this.core.facts(node).catch(() => []);
		if (!this.is_gone && facts.length > 0) tip.value = { x, y, is_left: x > this.size.width - 260, is_up: y > this.size.height / 2, facts };
	}

	gone(): void { this.is_gone = true; clearTimeout(this.rest); clearTimeout(this.opens); }
}

/** Is the picture's table shown? */
export const is_outline_open = signal(false);

/** The stage that keys act on. */
export const stage = signal<Stage | null>(null);

const listen = (canvas: HTMLCanvasElement, s: Stage): (() => void) => {
	const off = new AbortController();
	const on = <K extends keyof HTMLElementEventMap>(type: K, f: (e: HTMLElementEventMap[K]) => void, passive = true): void =>
		canvas.addEventListener(type, f, { signal: off.signal, passive });
	let from: { x: number; y: number } | null = null;
	let is_dragged = false;
	let hover = 0;
	on('wheel', (e) => { e.preventDefault(); s.zoomBy(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) * 0.004), e.offsetX, e.offsetY); }, false);
	on('pointerdown', (e) => { if (e.button === 0) { from = { x: e.clientX, y: e.clientY }; is_dragged = false; canvas.setPointerCapture(e.pointerId); } });
	on('pointermove', (e) => {
		clearTimeout(hover);
		if (!from) { hover = window.setTimeout(() => void s.hover(e.offsetX, e.offsetY), 40); return; }
		const dx = e.clientX - from.x, dy = e.clientY - from.y;
		if (!is_dragged && Math.abs(dx) + Math.abs(dy) < 4) return;
		is_dragged = true;
		from = { x: e.clientX, y: e.clientY };
		s.panBy(dx, dy);
	});
	on('pointerup', (e) => { if (from && !is_dragged) void s.select(s.hit(e.offsetX, e.offsetY)); from = null; });
	on('pointerleave', () => { clearTimeout(hover); tip.value = null; });
	on('dblclick', () => void s.open());
	return () => { clearTimeout(hover); off.abort(); };
};

const Tooltip = () => {
	const t = tip.value;
	if (!t) return null;
	return (
		<div class={`tip${t.is_left ? ' left' : ''}${t.is_up ? ' up' : ''}`} style={{ left: `${t.x}px`, top: `${t.y}px` }} aria-hidden="true">
			<table><tbody>{told(t.facts).slice(0, 12).map(([name, value]) => <tr><th scope="row">{name}</th><td>{value}</td></tr>)}</tbody></table>
		</div>
	);
};

const Crumbs = ({ s }: { s: Stage | null }) => (
		<ol class="crumbs" aria-label="path">
			<li><button type="button" title="Show all of it" onClick={() => { void s?.select(null); s?.reset(); }}>program</button></li>
			{path.value.slice(1).slice(-6).map((p) => <li><button type="button" title={p.what} onClick={() => { void s?.select(p.node); void s?.show(p.node); }}>{p.name}</button></li>)}
		</ol>
);

const Bar = ({ run, s }: { run: Run; s: Stage | null }) => {
	const is_structure = isStructure();
	const switchTo = (picture: string | null): void => { put({ picture, frame: null }, true); if (s) { s.frame = null; s.ask(false); } };
	return (
		<div class="bar" role="toolbar" aria-label="picture">
			<span class="group">
				<button type="button" id="show-structure" aria-pressed={is_structure} onClick={() => switchTo(null)} title="Tasks and loop chunks with their forks and joins; groups open by Enter or a double click">Graph</button>
				<button type="button" id="show-map" aria-pressed={!is_structure} onClick={() => switchTo('map')} title="The best schedule of these grains without overhead on as many cores. It is simulated: what happened is in the timeline">Ideal schedule (simulated)</button>
			</span>
			<label>colour <select id="colour" value={get('colour') || 'problem'} onChange={(e) => { put({ colour: e.currentTarget.value === 'problem' ? null : e.currentTarget.value }); s?.ask(false); }}>
				<option value="problem">by problem</option><option value="place">by place</option>
			</select></label>
			<label><span class="hidden">problem</span><select id="problem" value={get('problem') || String(all_problems)} onChange={(e) => { put({ problem: e.currentTarget.value === String(all_problems) ? null : e.currentTarget.value }); s?.ask(false); }}>
				<option value={String(all_problems)}>all problems</option>
				{run.report.problems.map((p, i) => p.count !== null && <option value={String(i)}>{problemTitle(p.type)}</option>)}
				{metricsOf(run).map((m) => <option value={String(m.slot)}>{m.name} (yours)</option>)}
			</select></label>
			{page.value === 'overview' && hasGrains(run) && <button type="button" id="lit" aria-pressed={get('lit') !== 'all'} title="Keep the place of the finding bright, and dim the rest" onClick={() => put({ lit: get('lit') === 'all' ? null : 'all' })}>Highlight finding</button>}
			{Number(run.report.graph['dependences']) > 0 && <button type="button" id="dependences" aria-pressed={get('dependences') === 'yes'} title="What had to end before the selected task could start" onClick={() => s?.toggleDependences()}>Dependences</button>}
		</div>
	);
};

export const Picture = ({ run }: { run: Run }) => {
	const canvas = useRef<HTMLCanvasElement>(null);
	const minimap = useRef<HTMLCanvasElement>(null);
	useEffect(() => {
		if (!canvas.current || !minimap.current) return undefined;
		const s = new Stage(canvas.current, minimap.current, run);
		stage.value = s;
		const stop = listen(canvas.current, s);
		const resize = new ResizeObserver(() => s.ask(false));
		resize.observe(canvas.current);
		const scheme = matchMedia('(prefers-color-scheme: dark)');
		const again = (): void => s.ask(false);
		scheme.addEventListener('change', again);
		const more = run.core.onmore(again);
		onJudged(() => s.changed());
		return () => { stop(); more(); resize.disconnect(); scheme.removeEventListener('change', again); s.gone(); stage.value = null; };
	}, [run]);
	useEffect(() => { stage.value?.arrive().catch(() => undefined); }, [run, get('id'), get('node')]);
	const lit = `${finding.value} ${get('lit')} ${get('problem')} ${get('colour')} ${shownMetric(run)?.colour}`;
	useEffect(() => stage.value?.ask(false), [lit]);
	const s = stage.value;
	const places = placesByWork(run.report);
	return (
		<section class="picture" aria-label="picture of the run">
			<Bar run={run} s={s} />
			<Threshold run={run} />
			<Crumbs s={s} />
			<div class="stage">
				<canvas ref={canvas} id="canvas" tabIndex={0} role="application" aria-roledescription="graph" aria-label={`${isStructure() ? 'grain graph' : 'ideal schedule, simulated'}: arrows walk, Enter opens, Backspace goes back, question mark lists all keys`} />
				<canvas ref={minimap} class="minimap" aria-hidden="true" onPointerDown={(e) => s?.moveMinimap(e.offsetX, e.offsetY)} onPointerMove={(e) => { if (e.buttons & 1) s?.moveMinimap(e.offsetX, e.offsetY); }} />
				<Tooltip />
			</div>
			<div class="foot">
				<Legend is_structure={isStructure()} by_place={get('colour') === 'place'} places={places} colours={tinted(theme(), shownMetric(run)?.colour ?? -1)} cores={cores(run.container.index, run.report)} has_marks={Boolean(run.container.index['diff'])} />
				<span id="shapes" class="faint">{drawn_text.value}</span>
				<span class="save">
					{page.value === 'overview' && <button type="button" id="show-outline" aria-pressed={is_outline_open.value} title="The graph as a table, below" onClick={() => { is_outline_open.value = !is_outline_open.value; }}>Table</button>}
					{isStructure() && <button type="button" id="lengths" aria-pressed={get('lengths') === 'log'} title="Lengths of grains by doublings of their time" onClick={() => { put({ lengths: get('lengths') === 'log' ? null : 'log' }); s?.ask(false); }}>Log scale</button>}
					<button type="button" id="save-svg" title="Save the picture as SVG" onClick={() => void s?.save('svg')}>SVG</button><button type="button" id="save-png" title="Save the picture as PNG" onClick={() => void s?.save('png')}>PNG</button></span>
			</div>
		</section>
	);
};
