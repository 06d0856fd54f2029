// SPDX-License-Identifier: MIT
// What the index of a container says besides the report (winnow-grains(5)).
import type { Bin } from './charts.tsx';
import type { Index } from './container.ts';
import { fields, flag, list, number, numbers, text } from './json.ts';
import type { Place, Report } from './report.ts';

export interface Excerpt {
	file: string;
	first: number;
	lines: string[];
	/** The file has changed since the run: lines may be others. */
	is_newer: boolean;
}

export const excerpts = (index: Index): Excerpt[] =>
	list(index['excerpts']).map(fields).map((e) => ({ file: text(e['file']), first: number(e['first_line']) ?? 1, lines: list(e['lines']).map(text), is_newer: flag(e['is_newer']) }));

/** What was left out of the file, as one sentence. */
export const leftOut = (index: Index): string => text(fields(index['left_out'])['sentence']);

/** The lines round a place, `around` before and after it. */
export const excerptOf = (index: Index, place: Place, around: number): Excerpt | null => {
	const line = place.line;
	if (line === null) return null;
	const e = excerpts(index).find((x) => x.file === place.file && line >= x.first && line < x.first + x.lines.length);
	if (!e) return null;
	const from = Math.max(0, line - e.first - around);
	return { ...e, first: e.first + from, lines: e.lines.slice(from, line - e.first + around + 1) };
};

export interface ProfileBins {
	bin_ns: number;
	low: number[];
	mean: number[];
	high: number[];
}

export const profile = (index: Index): ProfileBins | null => {
	const p = fields(index['profile']);
	const mean = numbers(p['mean']);
	return mean.length === 0 ? null
		: { bin_ns: number(p['bin_ns']) ?? 0, low: numbers(p['min']), mean, high: numbers(p['max']) };
};

export interface HistogramOf {
	/** The problem type it shows; empty for a column that none is about. */
	type: string;
	column: string;
	unit: string;
	threshold: number | null;
	is_bad_below: boolean;
	n_missing: number;
	bins: Bin[];
}

/** More bars than this say no more. */
const most_bins = 48;

/** Neighbours become one, so that they are few enough to be seen. */
export const joined = (bins: Bin[]): Bin[] => {
	const per = Math.ceil(bins.length / most_bins);
	const out: Bin[] = [];
	for (let i = 0; i < bins.length; i += per) {
		const part = bins.slice(i, i + per);
		out.push({ from: part[0]?.from ?? 0, to: part.at(-1)?.to ?? 0, n: part.reduce((sum, b) => sum + b.n, 0) });
	}
	return out;
};

/** How the values of columns are spread: those of the problem types first, in their order. */
export const histograms = (index: Index): HistogramOf[] => {
	const problems = list(index['problems']).map(fields);
	const units = new Map(list(index['columns']).map(fields).map((c) => [text(c['name']), text(c['unit'])]));
	return list(index['histograms']).map(fields).map((h, i) => {
		const edges = numbers(h['edges']);
		const bins = joined(numbers(h['counts']).map((n, k) => ({ from: edges[k] ?? 0, to: edges[k + 1] ?? 0, n })));
		const zero = number(h['zero']) ?? 0;
		const problem = problems[i] ?? {};
		return {
			type: text(problem['name']), column: text(h['column']), unit: units.get(text(h['column'])) ?? '',
			threshold: number(problem['threshold']), is_bad_below: flag(problem['is_below']), n_missing: number(h['missing']) ?? 0,
			bins: zero > 0 ? [{ from: 0, to: bins[0]?.from ?? 1, n: zero }, ...bins] : bins,
		};
	});
};

/** The places in order of their work, which is the order of their colours. */
export const placesByWork = (report: Report): string[] => {
	const work = new Map<string, number>();
	for (const s of report.sites) work.set(s.place.label, (work.get(s.place.label) ?? 0) + s.work_ns);
	return [...work].sort((a, b) => b[1] - a[1]).map(([label]) => label);
};

export interface Sites {
	/** Of a source site: which colour its place has; the places with most work come first. */
	colours: Map<number, number>;
	/** Of a row of the index's places: a site of it. */
	of_place: Map<number, number>;
	/** Of a source site: its row of the index's places; NaN where it has none. */
	place: Float64Array;
}

export const sites = (index: Index, report: Report, place_of_site: Float64Array | null): Sites => {
	const order = placesByWork(report);
	const labels = list(index['places']).map((p) => text(fields(p)['place']));
	const out: Sites = { colours: new Map(), of_place: new Map(), place: place_of_site ?? new Float64Array(0) };
	place_of_site?.forEach((row, site) => {
		const at = order.indexOf(labels[row] ?? '');
		out.colours.set(site, at < 0 || at > 7 ? 8 : at);
		if (!Number.isNaN(row) && !out.of_place.has(row)) out.of_place.set(row, site);
	});
	return out;
};

/** The place of each finding, as a row of the index's places. */
export const findingPlaces = (index: Index): (number | null)[] => list(index['finding_places']).map(number);

/** A node that shows each finding best. */
export const findingNodes = (index: Index): (number | null)[] => list(index['finding_nodes']).map(number);

export const cores = (index: Index, report: Report): number => number(index['n_cores']) ?? number(report.totals['cpus_used']) ?? report.threads;

/** A group that the run before has otherwise; lists of two are of that run and this one. */
export interface Mark {
	node: number;
	what: string;
	/** As winnow diff calls it. */
	id: string;
	members: (number | null)[];
	work_ns: (number | null)[];
}

export const marksOf = (index: Index): Mark[] => list(index['marks']).map(fields).map((m) => ({
	node: number(m['node']) ?? 0, what: text(m['what']), id: text(m['id']), members: list(m['members']).map(number), work_ns: list(m['members_work_ns']).map(number) }));
