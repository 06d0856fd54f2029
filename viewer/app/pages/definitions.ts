// SPDX-License-Identifier: MIT
// A file of metrics, winnow-metrics(5), as the page edits it: text to definitions and back.
import rules from 'columns:folds';

export interface Definition {
	name: string;
	words: string;
	bad: 'none' | 'low' | 'high';
	/** As it is written: a number, perhaps with a unit; empty: none. */
	threshold: string;
	/** Empty: the default, which depends on `bad`. */
	propagate: string;
	/** In pictures: of the colours of places, from 0; -1: that of problems. */
	colour: number;
}

/** Colours by name, in the order that places have them. */
export const colours = ['blue', 'red', 'green', 'yellow', 'cyan', 'purple', 'brown', 'teal'];

export interface Definitions {
	metrics: Definition[];
	/** Of built-in problem types: "parallel_benefit < 2". */
	thresholds: { type: string; is_below: boolean; value: string }[];
}

/** Rules by which groups fold values; that of no value comes last. */
export const folds = [...rules.filter((f) => f !== 'none'), 'none'];

const units: Record<string, number> = { '': 1, ns: 1, us: 1e3, ms: 1e6, s: 1e9, '%': 0.01, k: 1e3, M: 1e6, G: 1e9 };

/** A number of the language; NaN: it is none. */
export const numberOf = (text: string): number => {
	const m = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(ns|us|ms|s|%|k|M|G)?$/.exec(text.trim());
	return m ? Number(m[1]) * (units[m[2] ?? ''] ?? NaN) : NaN;
};

/** The first fault is thrown, with its line. */
export const parse = (text: string): Definitions => {
	const out: Definitions = { metrics: [], thresholds: [] };
	text.split('\n').forEach((raw, i) => {
		// to the command line it is a comment
		const colour = colours.indexOf(/^\s*#\s*colour\s+(\w+)\s*$/.exec(raw)?.[1] ?? '');
		const before = out.metrics.at(-1);
		if (before && colour >= 0) before.colour = colour;
		const line = raw.replace(/#.*/, '').trim();
		if (line === '') return;
		const fail = (why: string): never => { throw new Error(`line ${i + 1}: ${why}`); };
		const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
		const last = out.metrics.at(-1);
		if (word === 'metric') {
			const m = /^(\w+)\s*=\s*(\S.*)$/.exec(rest);
			if (!m) return fail('a metric is defined as NAME = EXPR');
			out.metrics.push({ name: m[1] ?? '', words: m[2] ?? '', bad: 'none', threshold: '', propagate: '', colour: -1 });
			return;
		}
		const condition = word === 'threshold' ? /^(\w+)\s*([<>])\s*(\S+)$/.exec(rest) : null;
		if (condition) {
			if (Number.isNaN(numberOf(condition[3] ?? ''))) fail('a threshold is a number');
			out.thresholds.push({ type: condition[1] ?? '', is_below: condition[2] === '<', value: condition[3] ?? '' });
			return;
		}
		if (!last) return fail(`${word} is about the metric before it, and there is none`);
		if (word === 'bad') {
			if (rest !== 'low' && rest !== 'high' && rest !== 'none') return fail('bad is low, high or none');
			last.bad = rest;
		} else if (word === 'threshold') {
			if (Number.isNaN(numberOf(rest))) fail('a threshold is a number');
			last.threshold = rest;
		} else if (word === 'propagate') {
			if (!folds.includes(rest)) fail(`propagate is one of ${folds.join(', ')}`);
			last.propagate = rest;
		} else fail(`there is no ${word} here`);
	});
	return out;
};

export const format = (d: Definitions): string => [
	...d.metrics.map((m) => [`metric ${m.name} = ${m.words.replaceAll('\n', ' ')}`, ...(m.bad === 'none' ? [] : [`    bad ${m.bad}`]),
		...(m.threshold === '' || m.bad === 'none' ? [] : [`    threshold ${m.threshold}`]), ...(m.propagate === '' ? [] : [`    propagate ${m.propagate}`]), ...(m.colour < 0 ? [] : [`    # colour ${colours[m.colour]}`])].join('\n')),
	...d.thresholds.map((t) => `threshold ${t.type} ${t.is_below ? '<' : '>'} ${t.value}`),
].join('\n\n') + '\n';

/** The expression of one metric over columns alone: earlier metrics stand in brackets in it. */
export const expanded = (metrics: Definition[], k: number): string => {
	const earlier = new Map<string, string>();
	const replaced = (words: string): string => words.replace(/[A-Za-z_][\w.]*/g, (name) => (earlier.has(name) ? `(${earlier.get(name)})` : name));
	metrics.slice(0, k).forEach((m) => earlier.set(m.name, replaced(m.words)));
	return replaced(metrics[k]?.words ?? '');
};

const words = new Set(['and', 'or', 'not', 'na', 'if', 'isnan', 'coalesce', 'min', 'max', 'abs', 'sqrt', 'exp', 'log', 'log2', 'floor', 'ceil', 'round', 'sum', 'mean',
	'median', 'count', 'p', 'where', 'true', 'false', 'ns', 'us', 'ms', 's', 'k', 'M', 'G']);

/** Why a metric cannot be called so; empty: it can. */
export const faultOfName = (name: string, others: string[]): string => {
	if (!/^[A-Za-z]\w*$/.test(name) || words.has(name)) return 'a name is letters, digits and _, begins with a letter, and is no word of expressions';
	return others.includes(name) ? `there is a ${name} already` : '';
};
