// SPDX-License-Identifier: MIT
// The table of grains as pages use it: passes that tell how far they are, and end when another begins.
import { fields, list, number, text } from '../json.ts';
import type { Run } from '../state.ts';
import type { Fault, Measured, Progress, Query, Rows } from '../worker/table.ts';

export interface Column {
	name: string;
	unit: string;
	title: string;
	type: string;
}

/** What the index says of its columns; the worker has the same by name. */
export const columnsOf = (run: Run): Column[] =>
	list(run.container.index['columns']).map(fields).map((c) => ({
		name: text(c['name']), unit: text(c['unit']), title: text(c['title']) || text(c['expression']), type: text(c['type']) }));

export interface PlaceOf {
	label: string;
	func: string;
	kind: string;
	sites: number[];
}

/** Places that grains have, by their row of the index. */
export const placesOf = (run: Run): PlaceOf[] => {
	const out: PlaceOf[] = list(run.container.index['places']).map(fields).map((p) => ({ label: text(p['place']), func: text(p['function']), kind: text(p['kind']), sites: [] }));
	run.sites.place.forEach((row, site) => out[row]?.sites.push(site));
	return out;
};

/** Who asks gives up: something else is looked at now. */
export class Stopped extends Error {}

type Topic = 'rows' | 'measure' | 'count';
const latest = new Map<Topic, number>();
let tail: Promise<void> = Promise.resolve();

/** The worker makes one pass at a time. A pass ends the one before on its topic, and waits for those on others. */
const inTurn = async <T>(topic: Topic, f: (check: () => void) => Promise<T>): Promise<T> => {
	const mine = stop(topic);
	const check = (): void => { if (latest.get(topic) !== mine) throw new Stopped('stopped'); };
	const before = tail;
	let done = (): void => undefined;
	tail = new Promise((resolve) => { done = resolve; });
	await before;
	try {
		check();
		return await f(check);
	} finally {
		done();
	}
};

export const stop = (topic: Topic): number => {
	const next = (latest.get(topic) ?? 0) + 1;
	latest.set(topic, next);
	return next;
};

export const isFault = (x: unknown): x is Fault => typeof x === 'object' && x !== null && 'why' in x;

/** Thresholds that the address moves (threshold.tsx keeps them there). */
const thresholds = async (run: Run, get: (key: string) => string): Promise<void> => {
	const values = list(run.container.index['problems']).map((p, i): [number, number | null] => {
		const moved = Number(get(`over${i}`) || NaN);
		return [i, Number.isFinite(moved) ? moved : number(fields(p)['threshold'])];
	});
	await run.core.call('table.thresholds', values.map(([i, v]) => [i, v ?? NaN]));
};

export const findRows = async (run: Run, q: Query, get: (key: string) => string, onProgress: (p: Progress) => void): Promise<Rows | Fault> => inTurn('rows', async (check) => {
	await thresholds(run, get);
	check();
	const fault = await run.core.call<Fault | null>('table.query', q);
	check();
	if (fault) return fault;
	for (;;) {
		const p = await run.core.call<Progress>('table.step');
		check();
		onProgress(p);
		if (p.is_done) break;
	}
	await run.core.call('table.rows');
	for (;;) {
		check();
		const rows = await run.core.call<Rows | null>('table.rowsStep');
		check();
		if (rows) return rows;
	}
});

const quoted = (s: string): string => (/[",\n]/.test(s) ? `"${s.replaceAll('"', '""')}"` : s);

export const csv = async (run: Run, q: Query, get: (key: string) => string, onProgress: (p: Progress) => void): Promise<Blob | Fault> => inTurn('rows', async (check) => {
	await thresholds(run, get);
	const places = placesOf(run);
	const names = Array.from(run.sites.place, (row) => quoted(places[row]?.label ?? ''));
	check();
	const fault = await run.core.call<Fault | null>('table.csv', q, names);
	check();
	if (fault) return fault;
	const pieces: string[] = [];
	for (;;) {
		const p = await run.core.call<Progress & { text: string }>('table.csvStep');
		check();
		pieces.push(p.text);
		onProgress(p);
		if (p.is_done) return new Blob(pieces, { type: 'text/csv' });
	}
});

export const measure = async (topic: Topic, run: Run, words: string, is_below: boolean, threshold: number, get: (key: string) => string, onProgress: (m: Measured) => void): Promise<Measured | Fault> => inTurn(topic, async (check) => {
	await thresholds(run, get);
	check();
	const fault = await run.core.call<Fault | null>('table.metric', words, is_below, threshold);
	check();
	if (fault) return fault;
	for (;;) {
		const m = await run.core.call<Measured>('table.metricStep');
		check();
		onProgress(m);
		if (m.is_done) return m;
	}
});

/** Offers a text as a file, from memory: nothing is sent. */
export const download = (blob: Blob, name: string): void => {
	const a = document.createElement('a');
	a.href = URL.createObjectURL(blob);
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
};
