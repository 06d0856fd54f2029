// SPDX-License-Identifier: MIT
// The recorded timeline: bins of the whole run first, then slices of time as windows need them (src/page/timeline.h).
import { inflatedOf, part_kind, type Part } from '../directory.ts';
import { fields, number } from '../json.ts';
import { calls, directoryOfRun } from './calls.ts';
import { buffer, call, copy, free, move, put } from './memory.ts';
import { failed } from './parts.ts';

/** Of a run: when it ends, and how many threads were recorded. */
export interface Extent {
	n_threads: number;
	end: number;
}

export interface TimelineView {
	from: number;
	to: number;
	/** In pixels: the window, a thread, and the room below it. */
	width: number;
	row: number;
	gap: number;
	/** Colours as pixels: 16 of work by place, 17 of states, paper, critical path. */
	palette: Uint32Array;
}

export interface TimelinePicture {
	pixels: ArrayBuffer;
	/** Threads that work, column by column. */
	working: Float32Array;
	/** Slices of the window that are still to come. */
	coming: number;
}

/** Nanoseconds by state, as src/page/timeline.h numbers them. */
export type Sums = number[];

export interface Stretch {
	from: number;
	to: number;
	site: number;
	sums: Sums;
}

const n_sums = 18;
/** Slices that stay loaded: the ones asked for last. */
const most_bytes = 24e6;
const rows_table = 5;

/** Begin and end of a part. */
export const times = (p: Part): [number, number] => {
	const v = new DataView(p.raw.buffer, p.raw.byteOffset, p.raw.byteLength);
	return [Number(v.getBigUint64(64, true)), Number(v.getBigUint64(72, true))];
};

const take = async (which: number, part: Part, slice: number, bin_ns: number): Promise<void> => {
	const { container } = await directoryOfRun();
	const blocks = part.blocks.filter((b) => call('core_timeline_wants', b.column));
	const raw = await inflatedOf(container, part, blocks);
	call('core_timeline_use', which);
	call('core_timeline_begin', slice, part.rows[rows_table] ?? 0, bin_ns);
	blocks.forEach((b, i) => {
		const bytes = raw[i] ?? new Uint8Array(0), n = bytes.length, at = move(bytes);
		const is_fine = call('core_timeline_put', b.column, b.code, b.width, b.state, at, n);
		free(at);
		if (!is_fine) throw failed('core_table_why');
	});
	if (!call('core_timeline_end')) throw failed('core_table_why');
};

/** Slices by number; those that are loaded, the one used last at the end. */
let slices: Part[] = [];
const loaded = new Set<number>();
const lost = new Set<number>();
let is_busy = false;
let wanted: number[] = [];

const makeRoom = (): void => {
	const sum = (): number => [...loaded].reduce((n, k) => n + call('core_timeline_bytes', k), 0);
	call('core_timeline_use', 0);
	for (const k of loaded) {
		if (loaded.size < 2 || sum() <= most_bytes) return;
		call('core_timeline_drop', k);
		loaded.delete(k);
	}
};

const work = async (): Promise<void> => {
	is_busy = true;
	for (let k = wanted.shift(); k !== undefined; k = wanted.shift()) {
		const part = slices[k];
		try {
			makeRoom();
			if (part) await take(0, part, k, 0);
			loaded.add(k);
		} catch {
			lost.add(k); // bins are drawn instead
		}
	}
	is_busy = false;
	postMessage({ id: 0, more: true });
};

/** Which slices a window lacks; they are brought. */
const want = (from: number, to: number): number => {
	const at = put(new Uint8Array(4 * slices.length + 4));
	const n = call('core_timeline_needs', from, to, at, slices.length);
	wanted = [...new Uint32Array(buffer(), at, n)].filter((k) => !lost.has(k));
	free(at);
	const coming = wanted.length;
	if (coming > 0 && !is_busy) void work();
	return coming;
};

/** Null: this run has none. */
calls.set('timeline.open', async (which: number, classes: Uint8Array<ArrayBuffer>): Promise<Extent | null> => {
	const { parts, container } = await directoryOfRun();
	const t = fields(container.index[which ? 'against' : 'threads']);
	const part = parts.find((p) => p.kind === part_kind.threads && p.number === which);
	const n_threads = number(t['n_threads']) ?? 0, n_bins = number(t['n_bins']) ?? 0, bin_ns = number(t['bin_ns']) ?? 0;
	if (!part || n_threads === 0 || n_bins === 0) return null;
	const of = which === 0 ? parts.filter((p) => p.kind === part_kind.stretches && p.blocks.every((b) => b.state < 3)) : [];
	call('core_timeline_use', which);
	if (!call('core_timeline_new', n_threads, of.length)) throw failed('core_table_why');
	of.forEach((p, k) => call('core_timeline_slice', k, ...times(p)));
	if (which === 0) { slices = of; loaded.clear(); lost.clear(); }
	await take(which, part, 0, bin_ns);
	setSites(classes);
	return { n_threads, end: n_bins * bin_ns };
});

/** Other classes of sites: another finding is looked at. */
const setSites = (classes: Uint8Array<ArrayBuffer>): void => {
	const at = put(classes);
	call('core_timeline_sites', at, classes.length);
	free(at);
};
calls.set('timeline.sites', (classes: Uint8Array<ArrayBuffer>): void => {
	call('core_timeline_use', 0);
	setSites(classes);
});

calls.set('timeline.draw', (which: number, n_threads: number, v: TimelineView): TimelinePicture => {
	const palette = put(new Uint8Array(v.palette.buffer as ArrayBuffer, v.palette.byteOffset, v.palette.byteLength));
	call('core_timeline_use', which);
	const at = call('core_timeline_paint', v.from, v.to, v.width, v.row, v.gap, 0, n_threads, palette);
	free(palette);
	if (at === 0) throw new Error('the timeline could not be drawn');
	const pixels = copy(at, 4 * v.width * n_threads * (v.row + v.gap));
	return { pixels, working: new Float32Array(copy(call('core_timeline_working'), 4 * v.width)), coming: which === 0 ? want(v.from, v.to) : 0 };
});

const sums = (at: number): Sums => [...new Float64Array(buffer(), at, n_sums)];

/** Of each thread. */
calls.set('timeline.sums', (which: number, n_threads: number, from: number, to: number): Sums[] => {
	call('core_timeline_use', which);
	return Array.from({ length: n_threads }, (_, thread) => sums(call('core_timeline_sum', thread, from, to)));
});

calls.set('timeline.at', (which: number, thread: number, at_ns: number): Stretch | null => {
	call('core_timeline_use', which);
	const at = call('core_timeline_at', thread, at_ns);
	if (at === 0) return null;
	const [from = 0, to = 0, site = -1] = new Float64Array(buffer(), at, 3);
	return { from, to, site, sums: sums(call('core_timeline_sums')) };
});
