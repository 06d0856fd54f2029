// SPDX-License-Identifier: MIT
// Everything by key. The list that '?' shows is this table.
import { signal } from '@preact/signals';
import { copy } from './detail.tsx';
import { idOf } from './facts.ts';
import { chosen, is_outline_open, stage, type Stage } from './picture.tsx';
import { finding, get, page, pages, put, run, say } from './state.ts';
import { getNumber } from './state.ts';
import { no_node } from '../core/page.ts';

export const is_help_open = signal(false);
export const is_search_open = signal(false);

export interface Key {
	keys: string[];
	shown?: string;
	what: string;
	/** In the picture only: elsewhere the key has its ordinary meaning. */
	is_of_picture?: boolean;
	run: (s: Stage | null, event: KeyboardEvent) => void;
}

const toFinding = (by: number): void => {
	const n = run.value?.report.findings.length ?? 0;
	if (n === 0) return;
	const next = (finding.value + by + n) % n;
	put({ finding: next + 1, page: null }, true);
	const f = run.value?.report.findings[next];
	if (f) say(`finding ${next + 1} of ${n}: ${f.title}, ${f.place.label}`);
	requestAnimationFrame(() => document.getElementById(`finding-${next + 1}`)?.scrollIntoView({ block: 'nearest' }));
};

/** Its rows come from the core, which may be busy. */
const focusOutline = (tries: number): void => {
	const row = document.querySelector<HTMLElement>('#outline tbody tr');
	if (row) row.focus();
	else if (tries > 0 && is_outline_open.value) setTimeout(() => focusOutline(tries - 1), 50);
};

const back = async (s: Stage): Promise<void> => { await s.back(); };
const far = 60;

export const keys: Key[] = [
	{ keys: ['?'], what: 'this list', run: () => { is_help_open.value = !is_help_open.value; } },
	{ keys: ['/'], what: 'search for a place, function or id', run: () => { is_search_open.value = true; } },
	{ keys: ['j'], what: 'next finding', run: () => toFinding(1) },
	{ keys: ['k'], what: 'finding before', run: () => toFinding(-1) },
	...pages.map((p, i): Key => ({ keys: [String(i + 1)], what: `page: ${p}`, run: () => put({ page: p === 'overview' ? null : p }, true) })),
	{ keys: ['m'], what: 'graph or ideal schedule', run: (s) => { put({ picture: get('picture') === 'map' ? null : 'map', frame: null }, true); if (s) { s.frame = null; s.ask(false); } } },
	{ keys: ['b'], what: 'colour by problem or by place', run: (s) => { put({ colour: get('colour') === 'place' ? null : 'place' }); s?.ask(false); } },
	{ keys: ['d'], what: 'dependences, of what is selected anywhere, or none', run: (s) => s?.toggleDependences() },
	{ keys: ['l'], what: 'light the place of the finding, or all', run: () => put({ lit: get('lit') === 'all' ? null : 'all' }) },
	{ keys: ['g'], what: 'to the graph', run: () => { put({ page: page.value === 'graph' ? 'graph' : null }); document.getElementById('canvas')?.focus(); } },
	{ keys: ['t'], what: 'to the timeline', run: () => { put({ page: page.value === 'timeline' ? 'timeline' : null }); document.getElementById('timeline')?.focus(); } },
	{ keys: ['o'], what: 'outline: the picture as a table', run: () => {
		put({ page: null });
		is_outline_open.value = !is_outline_open.value;
		if (is_outline_open.value) focusOutline(100);
	} },
	{ keys: ['c'], what: 'follow the critical path', run: (s) => void s?.walk('critical') },
	{ keys: ['p'], what: 'next node with the problem', run: (s) => void s?.walk('problem') },
	{ keys: ['n'], what: 'next group that differs in the reference run', run: (s) => void s?.walk('changed') },
	{ keys: ['s'], what: 'next similar group', run: (s) => void s?.walk('similar') },
	{ keys: ['y'], what: 'copy the id of the node', run: () => { const id = idOf(chosen.value); if (id) copy(id); else say('no node with an id is selected'); } },
	{ keys: ['+', '='], shown: '+', what: 'zoom in', run: (s) => s?.zoomBy(0.8) },
	{ keys: ['-'], what: 'zoom out', run: (s) => s?.zoomBy(1.25) },
	{ keys: ['0'], what: 'see everything', run: (s) => s?.reset() },
	{ keys: ['Enter'], what: 'open the node', is_of_picture: true, run: (s) => void s?.open() },
	{ keys: ['Backspace'], what: 'back out', is_of_picture: true, run: (s) => { if (s) void back(s); } },
	{ keys: ['ArrowUp'], shown: 'up', what: 'to the group it is in', is_of_picture: true, run: (s, e) => { if (e.shiftKey) s?.panBy(0, far); else void s?.walk('parent'); } },
	{ keys: ['ArrowDown'], shown: 'down', what: 'to the first member', is_of_picture: true, run: (s, e) => { if (e.shiftKey) s?.panBy(0, -far); else if (getNumber('node', no_node) === no_node) void s?.select(0); else void s?.walk('first'); } },
	{ keys: ['ArrowRight'], shown: 'right', what: 'to the next sibling', is_of_picture: true, run: (s, e) => { if (e.shiftKey) s?.panBy(-far, 0); else void s?.walk('next'); } },
	{ keys: ['ArrowLeft'], shown: 'left', what: 'to the sibling before; Shift and arrows move the view', is_of_picture: true, run: (s, e) => { if (e.shiftKey) s?.panBy(far, 0); else void s?.walk('previous'); } },
	{ keys: ['Escape'], shown: 'Esc', what: 'close, or select nothing', run: (s) => {
		if (is_help_open.value || is_search_open.value) { is_help_open.value = false; is_search_open.value = false; document.getElementById('canvas')?.focus(); }
		else void s?.select(null);
	} },
];

const isTyping = (e: KeyboardEvent): boolean => {
	const t = e.target;
	return t instanceof HTMLInputElement && t.type !== 'range' && t.type !== 'checkbox' || t instanceof HTMLTextAreaElement || t instanceof HTMLSelectElement;
};

export const listenToKeys = (): void => addEventListener('keydown', (e) => {
	if (e.ctrlKey || e.metaKey || e.altKey || !run.value) return;
	if (isTyping(e) && e.key !== 'Escape') return;
	const key = keys.find((k) => k.keys.includes(e.key));
	if (!key || (key.is_of_picture && (document.activeElement as HTMLElement | null)?.id !== 'canvas')) return;
	if ((is_help_open.value || is_search_open.value) && e.key !== 'Escape' && e.key !== '?') return;
	// arrows and the like belong to what has the focus
	if (key.is_of_picture && !['overview', 'graph', 'metrics'].includes(page.value)) return;
	e.preventDefault();
	key.run(stage.value, e);
});
