// SPDX-License-Identifier: MIT
// What the page shows is in its address behind '#', so that a link opens the same view again.
import { computed, signal } from '@preact/signals';
import type { Container } from './container.ts';
import type { Sites } from './index.ts';
import type { Core } from './core.ts';
import type { Report } from './report.ts';

export interface Run {
	container: Container;
	report: Report;
	core: Core;
	sites: Sites;
}

export const run = signal<Run | null>(null);
/** Why nothing is shown, or not everything: one sentence. */
export const trouble = signal('');
/** What a screen reader says next. */
export const spoken = signal('');

export const pages = ['overview', 'timeline', 'graph', 'source', 'grains', 'metrics', 'compare', 'predicted'] as const;
export type PageName = typeof pages[number];

type Values = Readonly<Record<string, string>>;

const fromHash = (): Values => {
	const out: Record<string, string> = {};
	for (const [key, value] of new URLSearchParams(location.hash.slice(1))) out[key] = value;
	return out;
};

const values = signal<Values>(fromHash());

export const get = (key: string): string => values.value[key] ?? '';
export const getNumber = (key: string, otherwise: number): number => {
	const text = values.value[key];
	const n = text === undefined || text === '' ? NaN : Number(text);
	return Number.isFinite(n) ? n : otherwise;
};

const changed = (change: Record<string, string | number | null>): Values => {
	const next: Record<string, string> = { ...values.peek() };
	// an id is of the node beside it
	if ('node' in change) delete next['id'];
	for (const [key, value] of Object.entries(change)) {
		if (value === null || value === '') delete next[key];
		else next[key] = String(value);
	}
	return next;
};

const hashOf = (change: Record<string, string | number | null>): string => `#${new URLSearchParams(changed(change))}`;

/** Changes the view; an empty text takes a key away. With `is_step`, going back comes here again. */
export const put = (change: Record<string, string | number | null>, is_step = false): void => {
	const next = changed(change);
	values.value = next;
	const hash = `#${new URLSearchParams(next)}`;
	if (hash !== location.hash) history[is_step ? 'pushState' : 'replaceState'](null, '', hash);
};

/** What a link needs to change the view: it can be copied, opened elsewhere, or followed here. */
export const link = (change: Record<string, string | number | null>): { href: string; onClick: (e: MouseEvent) => void } => ({
	href: hashOf(change),
	onClick: (e) => {
		if (e.ctrlKey || e.metaKey || e.shiftKey) return;
		e.preventDefault();
		put(change, true);
	},
});

addEventListener('popstate', () => { values.value = fromHash(); });
addEventListener('hashchange', () => { values.value = fromHash(); });

/** Addresses of older pages lead to what has taken their place. */
const renamed: Record<string, PageName> = { threads: 'timeline', parallelism: 'timeline' };
export const page = computed<PageName>(() => pages.find((p) => p === get('page')) ?? renamed[get('page')] ?? 'overview');
export const finding = computed(() => {
	const n = run.value?.report.findings.length ?? 0;
	return Math.min(Math.max(1, getNumber('finding', 1)), Math.max(1, n)) - 1;
});

export const accepted = computed(() => new Set(get('accepted').split(',').filter((x) => x !== '')));

export const say = (text: string): void => { spoken.value = text; };
