// SPDX-License-Identifier: MIT
// What the index of a container says besides the report (winnow-grains(5)).
import type { Bin } from './charts.tsx';
import type { Index } from './container.ts';
import { fields, list, number, numbers, text } from './json.ts';
import type { Place, Report } from './report.ts';

export interface Excerpt {
	file: string;
	first: number;
	lines: string[];
}

export const excerpts = (index: Index): Excerpt[] =>
	list(index['excerpts']).map(fields).map((e) => ({ file: text(e['file']), first: number(e['first_line']) ?? 1, lines: list(e['lines']).map(text) }));

/** The lines round a place, `around` before and after it. */
export const excerptOf = (index: Index, place: Place, around: number): Excerpt | null => {
	const line = place.line;
	if (line === null) return null;
	const e = excerpts(index).find((x) => x.file === place.file && line >= x.first && line < x.first + x.lines.length);
	if (!e) return null;
	const from = Math.max(0, line - e.first - around);
	return { file: e.file, first: e.first + from, lines: e.lines.slice(from, line - e.first + around + 1) };
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
	type: string;
	column: string;
	unit: string;
	threshold: number | null;
	is_bad_below: boolean;
	bins: Bin[];
}

export const histograms = (index: Index): HistogramOf[] =>
	list(index['histograms']).map(fields).map((h) => {
		const edges = numbers(h['edges']);
		return {
			type: text(h['type']), column: text(h['column']), unit: text(h['unit']), threshold: number(h['threshold']),
			is_bad_below: text(h['bad']) === 'low',
			bins: numbers(h['counts']).map((n, i) => ({ from: edges[i] ?? 0, to: edges[i + 1] ?? 0, n })),
		};
	});

/** The places in order of their work, which is the order of their colours. */
export const placesByWork = (report: Report): string[] => {
	const work = new Map<string, number>();
	for (const s of report.sites) work.set(s.place.label, (work.get(s.place.label) ?? 0) + s.work_ns);
	return [...work].sort((a, b) => b[1] - a[1]).map(([label]) => label);
};

export const coloursOf = (index: Index, report: Report): Map<number, number> => {
	const order = placesByWork(report);
	const out = new Map<number, number>();
	list(index['sites']).forEach((s, i) => {
		const at = order.indexOf(text(fields(s)['place']));
		out.set(i, at < 0 || at > 7 ? 8 : at);
	});
	return out;
};
