// SPDX-License-Identifier: MIT
// Pictures, and what is told of nodes: the shell's words to the core's numbers and back.
import type { Drawn } from '../core.ts';
import { column, part_kind } from '../directory.ts';
import { cores, marksOf, sites } from '../index.ts';
import { fields, flag, list, number, text as words } from '../json.ts';
import { read as report } from '../report.ts';
import { all_problems, marks, no_node, type Fact, type Picture, type Step, type View, type Way } from '../../core/page.ts';
import { calls, run, whenOpened, type Opened } from './calls.ts';
import { buffer, call, copy, free, put, text, withTexts } from './memory.ts';
import { judge, metricName } from './threshold.ts';
import { names } from './names.ts';
import { failed, load, Parts, tiers } from './parts.ts';
import { sixDigits } from './table.ts';

const ways: Way[] = ['parent', 'first', 'next', 'previous', 'critical', 'problem', 'similar'];
/** Those that nearly every grain has: they count where they are asked for. */
const extremes = ['instantaneous_parallelism_min', 'instantaneous_parallelism_max'];

let parts: Parts | null = null;
let places: string[] = [];
let place_of_site: Float64Array | null = null;

const withNumbers = <T>(values: number[], f: (at: number, n: number) => T): T => {
	const at = put(new Uint8Array(Uint32Array.from(values).buffer));
	try { return f(at, values.length); } finally { free(at); }
};

const tell = (o: Opened): void => {
	for (const part of o.parts)
		if (part.kind === part_kind.tier || part.kind === part_kind.chunk)
			withNumbers(part.rows, (at) => {
				if (!call('core_part', part.kind, part.number, at, part.first_node, part.first_grain, part.parent, part.n_open)) throw failed();
			});
};

whenOpened(async (o) => {
	const { index, head } = o.container;
	const v = new DataView(head.buffer, head.byteOffset, head.byteLength);
	const n_chunks = o.parts.filter((p) => p.kind === part_kind.chunk).length;
	const problems = list(index['problems']).map(fields);
	const of_sites = o.parts.find((p) => p.kind === part_kind.sites);
	place_of_site = of_sites ? await column(o.container, of_sites, 'place') : null;
	const counting = problems.reduce((mask, p, k) => extremes.includes(words(p['name'])) ? mask : mask | 1 << k, 0) >>> 0;
	const run_cores = cores(index, report(index.report));
	if (n_chunks === 0) return;
	if (!call('core_new', v.getUint32(72, true), v.getUint32(76, true), n_chunks, v.getUint32(80, true), run_cores,
		place_of_site?.length ?? 0, problems.length, counting)) throw failed();
	problems.forEach((p, k) => withTexts([words(p['name']), words(p['column'])], (name, at) => call('core_problem', k, name ?? 0, at ?? 0, Number(flag(p['is_below'])), number(p['threshold']) ?? NaN)));
	sites(index, report(index.report), place_of_site).colours.forEach((colour, site) => call('core_site', site, colour));
	for (const m of marksOf(index))
		if (!call('core_mark', m.node, marks.indexOf(m.what))) throw failed();
	places = list(index['places']).map((p) => {
		const f = fields(p);
		return [words(f['place']), words(f['function'])].filter((t) => t).join(' ');
	});
	tell(o);
	const own = new Parts(o, () => postMessage({ id: 0, more: true }), (p) => judge(o, p));
	await own.tier(0);
	parts = own;
	// a run of one chunk is here at once
	if (n_chunks === 1) await own.chunk(0).catch(() => undefined);
	else {
		tiers.are_here = own.tier(1);
		tiers.are_here.then(() => postMessage({ id: 0, more: true }), () => undefined);
	}
});

const ready = async (): Promise<Parts> => {
	await run();
	if (!parts) throw new Error('there is no grain in this recording');
	return parts;
};

export const placeOf = (site: number): string => places[place_of_site?.[site] ?? -1] ?? '';

const sorted = (nodes: number[] | undefined): number[] => [...new Set(nodes ?? [])].sort((a, b) => a - b);

/** Sets the core's view for as long as `f` runs. */
const withView = <T>(view: View, f: () => T): T => {
	const flags = Number(view.moving ?? false) | Number(view.dependences ?? false) << 1 | Number(view.log ?? false) << 2 | (view.tint ?? 0) << 4;
	call('core_view', view.x, view.y, view.w, view.h, Math.fround(view.width), Math.fround(view.height), view.root ?? 0,
		view.selected ?? no_node, view.site ?? no_node, view.picture === 'map' ? 0 : 1, view.problem ?? all_problems, flags);
	return withNumbers(sorted(view.open), (open, n_open) => withNumbers(sorted(view.closed), (closed, n_closed) => {
		call('core_opened', open, n_open, closed, n_closed);
		return f();
	}));
};

export const picture = (): Picture => {
	const shapes = copy(call('core_shapes'), 24 * call('core_n_shapes'));
	const at = call('core_texts'), n = call('core_n_texts'), bytes = call('core_words');
	const v = new DataView(buffer(), at, 16 * n);
	const texts = Array.from({ length: n }, (_, i) => ({
		x: v.getFloat32(16 * i, true), y: v.getFloat32(16 * i + 4, true),
		anchor: v.getUint8(16 * i + 14) as 0 | 1 | 2, style: v.getUint8(16 * i + 15) as 0 | 1 | 2 | 3,
		text: text(bytes + v.getUint32(16 * i + 8, true), v.getUint16(16 * i + 12, true)),
	}));
	return { shapes, texts, needs: needs() };
};

const needs = (): number[] => {
	const most = parts?.n ?? 0, at = put(new Uint8Array(4 * most));
	const n = call('core_needs', at, most);
	const out = [...new Uint32Array(buffer(), at, n)];
	free(at);
	return out;
};

/** The work that no more than some pixels of the map show; the structure shows each member of what is open. */
const leastOf = (v: View): number => v.picture === 'map' ? 12 * v.w * v.h / (v.width * v.height) : 1;

calls.set('draw', async (view: View): Promise<Drawn> => {
	const p = await ready();
	const d = withView(view, (): Omit<Drawn, 'coming' | 'absent'> => {
		if (!call('core_draw')) throw failed();
		return { picture: picture(), width: call('core_width'), height: call('core_height') };
	});
	return { ...d, ...view.brings === undefined ? { coming: 0, absent: 0 } : p.want(JSON.stringify(view), leastOf(view), view.brings ? d.picture.needs : []) };
});

calls.set('frame', async (view: View, node: number) => {
	await ready();
	return withView(view, () => {
		const at = call('core_frame', node);
		if (at === 0) return null;
		const [x = 0, y = 0, w = 0, h = 0] = new Float64Array(buffer(), at, 4);
		return { x, y, w, h };
	});
});

/** The core's texts are there until it is called again. */
const answer = (is_fine: number): string => {
	if (!is_fine) throw failed();
	return text(call('core_answer'), call('core_answer_bytes'));
};

const rows = (lines: string): string[][] => lines.split('\n').filter((l) => l).map((l) => l.split('\t'));

const chunkOf = (o: Opened, node: number): number =>
	o.parts.reduce((found, p) => p.kind === part_kind.chunk && p.first_node <= node ? Math.max(found, p.number) : found, 0);

calls.set('step', async (node: number, way: Way, problem: number): Promise<number | null> => {
	const p = await ready();
	if (way === 'changed') {
		const next = call('core_next_mark', node) >>> 0;
		return next === no_node ? null : next;
	}
	const go = (): number => call('core_step', node, ways.indexOf(way), problem) >>> 0;
	let to = go();
	const lacks = needs()[0];
	if (to === no_node && lacks !== undefined && (way === 'first' || way === 'next' || way === 'previous') && !p.has(lacks)) {
		await p.chunk(lacks);
		to = go();
	}
	return to === no_node ? null : to;
});

/** A node of a chunk that is not here is brought. */
export const bring = async (node: number): Promise<Parts> => {
	const p = await ready();
	const o = await run();
	// its chunk; and that of the group which is open where the chunk begins, if no tier has it; and so on
	for (let at = node, left = 6; left > 0 && at !== no_node && !call('core_facts', node); left--) {
		const k = chunkOf(o, at);
		if (!p.has(k)) await p.chunk(k);
		at = p.of(part_kind.chunk, k)?.parent ?? no_node;
	}
	return p;
};

calls.set('facts', async (node: number): Promise<Fact[]> => {
	const p = await bring(node);
	const o = await run(), k = chunkOf(o, node), part = p.of(part_kind.chunk, k);
	// of a grain, all that the file has of it
	if (part && answer(call('core_facts', node)).includes('num_grains') === false) {
		if (!p.has(k)) await p.chunk(k);
		await load(o, part, (b) => b.rows === 1);
	}
	if (part && Number.isNaN(call('core_value', node)) && call('core_wants_values', k)) {
		if (!p.has(k)) await p.chunk(k);
		await judge(o, part);
	}
	const [id] = await names([node]);
	const facts = rows(answer(call('core_facts', node))).map(([key = '', shown = '', value = '']): Fact => {
		const site = key === 'site' ? Number(value) : NaN;
		const place = places[place_of_site?.[site] ?? -1];
		return { key: place === undefined ? key : 'place', text: place ?? shown, value: value === '' ? null : Number(value) };
	});
	const value = call('core_value', node);
	if (!Number.isNaN(value)) facts.push({ key: `=${metricName()}`, text: sixDigits(value), value });
	return id ? [...facts.slice(0, 1), { key: 'lineage', text: id, value: null }, ...facts.slice(1)] : facts;
});

const kinds: Record<string, string> = { linear: 'sequence', fork_join: 'fork and join', sibling: 'all contexts' };
const count = new Intl.NumberFormat('en');

const step = ([node = '', kind = '', site = '', grains = '']: string[]): Step => {
	const place = places[place_of_site?.[Number(site)] ?? -1] ?? '';
	const is_group = kind in kinds;
	return {
		node: Number(node), kind, name: kinds[kind] ?? kind,
		what: [place, is_group ? `${count.format(Number(grains))} grains` : ''].filter((t) => t).join(', '),
	};
};

calls.set('path', async (node: number): Promise<Step[]> => {
	await bring(node);
	return rows(answer(call('core_path', node))).map(step);
});

calls.set('find', async (sought: string, most: number): Promise<Step[]> => {
	await ready();
	const low = sought.trim().toLowerCase();
	const wanted = Uint8Array.from(place_of_site ?? [], (row) => Number((places[row] ?? '').toLowerCase().includes(low)));
	if (low === '' || !wanted.includes(1)) return [];
	const at = put(wanted);
	try {
		return rows(answer(call('core_find', at, most))).map(step);
	} finally {
		free(at);
	}
});

calls.set('worst', async (root: number, problem: number): Promise<number | null> => {
	await ready();
	const node = call('core_worst', root, problem) >>> 0;
	return node === no_node ? null : node;
});

/** The picture as a document of its own, written by the same code as that of `winnow export`. */
calls.set('svg', async (view: View): Promise<string> => {
	await ready();
	return withView(view, () => answer(call('core_svg')));
});
