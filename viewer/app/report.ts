// SPDX-License-Identifier: MIT
// The report that the container brings, schema winnow.report/1. Its sentences are shown as they are: the page
// makes none about findings.
import { fields, flag, list, number, text, type Fields, type Json } from './json.ts';

export interface Place {
	file: string;
	line: number | null;
	func: string;
	/** As the report calls it: "sort.c:155"; empty for the whole program. */
	label: string;
}

export interface Finding {
	rule: string;
	title: string;
	why: string;
	attempt: string;
	doubt: string;
	place: Place;
	/** Expected saving, its range, and what of it the findings before leave. */
	gain_ns: number;
	low_ns: number;
	high_ns: number;
	left_ns: number;
	/** What the gain is a part of: the run with OpenMP, or the whole process. */
	of_ns: number | null;
	speedup: number | null;
	count: number;
	is_critical: boolean;
	parts: { place: Place; share: number | null }[];
}

export interface Site {
	place: Place;
	kind: string;
	grains: number;
	work_ns: number;
	median_ns: number;
	max_ns: number;
	creation_ns: number | null;
	sync_ns: number | null;
	critical: number;
	critical_work_ns: number;
	gain_ns: number;
	problems: Map<string, number | null>;
}

export interface Problem {
	type: string;
	condition: string;
	count: number | null;
	critical: number | null;
}

export interface Note {
	construct: string;
	place: string;
	note: string;
	level: string;
}

/** A category of the threads' time. */
export interface TimeCategory {
	name: string;
	title: string;
	kind: string;
	ns: number;
}

export interface Report {
	command: string;
	unit: string;
	headline: string[];
	threads: number;
	cpus: number | null;
	wall_ns: number | null;
	runtime: string;
	is_emulated: boolean;
	is_withheld: boolean;
	/** From a table of another tool: there are no waits, and so no findings. */
	is_imported: boolean;
	is_complete: boolean;
	totals: Fields;
	time: Fields;
	/** Those that have time, in the report's order. */
	times: TimeCategory[];
	graph: Fields;
	findings: Finding[];
	/** Why a finding is before one with a larger saving; empty: none is. */
	order: string;
	near: Finding[];
	sites: Site[];
	problems: Problem[];
	notes: Note[];
	per_thread: Fields[];
	mutexes: Fields[];
	marks: Fields[];
	labels: Fields[];
	metrics: Fields[];
}

const place = (o: Fields): Place => ({
	file: text(o['file']), line: number(o['line']), func: text(o['function']), label: text(o['place']),
});

const finding = (v: Json): Finding => {
	const o = fields(v);
	const message = text(o['message']);
	const colon = message.indexOf(': ');
	return {
		rule: text(o['rule']), title: colon < 0 ? message : message.slice(0, colon),
		why: colon < 0 ? '' : message.slice(colon + 2),
		attempt: text(o['try']), doubt: text(o['doubt']), place: place(o), gain_ns: number(o['gain_expected_ns']) ?? 0,
		low_ns: number(o['gain_low_ns']) ?? 0, high_ns: Math.min(number(o['gain_high_ns']) ?? 0, number(o['of_ns']) ?? Infinity), left_ns: number(o['gain_marginal_ns']) ?? 0,
		of_ns: number(o['of_ns']), speedup: number(o['predicted_speedup']), count: number(o['count']) ?? 0, is_critical: flag(o['on_critical_path']),
		parts: list(o['parts']).map((p) => ({ place: place(fields(p)), share: number(fields(p)['share_percent']) })),
	};
};

const site = (v: Json): Site => {
	const o = fields(v);
	return {
		place: place(o), kind: text(o['kind']), grains: number(o['grains']) ?? 0, work_ns: number(o['work_ns']) ?? 0,
		median_ns: number(o['median_ns']) ?? 0, max_ns: number(o['max_ns']) ?? 0, creation_ns: number(o['creation_ns']),
		sync_ns: number(o['sync_ns']), critical: number(o['on_critical_path']) ?? 0,
		critical_work_ns: number(o['critical_work_ns']) ?? 0, gain_ns: number(o['gain_ns']) ?? 0,
		problems: new Map(Object.entries(fields(o['problems'])).map(([k, n]) => [k, number(n)])),
	};
};

export const read = (v: Json): Report => {
	const o = fields(v);
	const program = fields(o['program']);
	const rows = (key: string): Fields[] => list(o[key]).map(fields);
	return {
		command: list(program['command']).map(text).join(' '), unit: text(o['unit']) || 'ns',
		headline: list(o['headline']).map(text), threads: number(program['threads']) ?? 1, cpus: number(program['cpus']),
		wall_ns: number(program['wall_ns']), runtime: text(program['runtime']), is_emulated: text(program['emulator']) !== '',
		is_withheld: text(fields(o['recording'])['withheld_because']) !== '',
		is_imported: o['imported'] !== null && o['imported'] !== undefined && o['imported'] !== false,
		is_complete: flag(fields(o['recording'])['complete']),
		totals: fields(o['totals']), time: fields(o['time']),
		times: rows('time_categories').map((c) => ({ name: text(c['name']), title: text(c['title']), kind: text(c['kind']), ns: number(c['ns']) ?? 0 })).filter((c) => c.ns > 0), graph: fields(o['graph']),
		findings: list(o['advice']).map(finding), order: text(o['advice_order']), near: list(o['near']).map(finding), sites: list(o['sites']).map(site),
		problems: rows('problems').map((p) => ({ type: text(p['type']), condition: text(p['condition']),
			count: number(p['count']), critical: number(p['on_critical_path']) })),
		notes: rows('fidelity').map((n) => ({ construct: text(n['construct']), place: text(n['place']),
			note: text(n['note']), level: text(n['level']) })),
		per_thread: rows('threads'), mutexes: rows('mutexes'), marks: rows('marks'), labels: rows('labels'), metrics: rows('metrics'),
	};
};

export const isAt = (a: Place, b: Place): boolean =>
	a.label !== '' && a.label === b.label && a.file === b.file && a.func === b.func;
