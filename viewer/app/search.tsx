// SPDX-License-Identifier: MIT
// '/' finds places and functions in the report, and nodes in the core.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { is_search_open } from './keys.ts';
import { stage } from './picture.tsx';
import { put, type Run } from './state.ts';
import type { Step } from '../core/page.ts';
import type { Sought } from './worker/names.ts';

const words = signal('');
const found = signal<Step[]>([]);
const most = 12;
/** Ids begin so: with a region, a context, the root. */
const like_id = /^(P\d|I\d|R([-/]|$))/;
const ids = signal<Sought | null>(null);

interface Hit {
	what: string;
	where: string;
	go: () => void;
}

const hits = (run: Run): Hit[] => {
	const w = words.value.toLowerCase();
	if (w === '') return [];
	const { findings, sites } = run.report;
	const to = (node: number): void => {
		put({ page: null }, true);
		requestAnimationFrame(() => { void stage.value?.select(node); void stage.value?.show(node); document.getElementById('canvas')?.focus(); });
	};
	return [
		...(ids.value?.nodes ?? []).map((node, i): Hit => ({ what: ids.value?.ids[i] ?? String(node), where: '', go: () => to(node) })),
		...findings.flatMap((f, i): Hit[] => `${f.title} ${f.place.label} ${f.place.func}`.toLowerCase().includes(w)
			? [{ what: `finding ${i + 1}: ${f.title}`, where: f.place.label, go: () => put({ page: null, finding: i + 1 }, true) }] : []),
		...sites.flatMap((s): Hit[] => `${s.place.label} ${s.place.file} ${s.place.func}`.toLowerCase().includes(w)
			? [{ what: `${s.kind} of ${s.place.func || s.place.label}`, where: s.place.label, go: () => put({ page: 'source', file: s.place.file, line: s.place.line }, true) }] : []),
	].slice(0, most).concat(found.value.map((n): Hit => ({ what: n.name, where: n.what, go: () => to(n.node) })));
};

export const Search = ({ run }: { run: Run }) => {
	const dialog = useRef<HTMLDialogElement>(null);
	const input = useRef<HTMLInputElement>(null);
	const is_open = is_search_open.value;
	useEffect(() => {
		if (!is_open) return;
		if (dialog.current && !dialog.current.open) dialog.current.showModal();
		input.current?.select();
	}, [is_open]);
	if (!is_open) return null;
	const list = hits(run);
	const choose = (h: Hit | undefined): void => { is_search_open.value = false; h?.go(); };
	const type = (text: string): void => {
		words.value = text;
		ids.value = null;
		if (text.length < 2) { found.value = []; return; }
		if (like_id.test(text)) run.core.seek(text, most).then((s) => { if (words.value === text) ids.value = s; }, () => undefined);
		run.core.find(text, most).then((steps) => { if (words.value === text) found.value = steps; }, () => { found.value = []; });
	};
	return (
		<dialog ref={dialog} id="search" aria-label="search" onClose={() => { is_search_open.value = false; }}>
			<form method="dialog" onSubmit={(e) => { e.preventDefault(); choose(list[0]); }}>
				<input ref={input} type="search" aria-label="place, function or id" placeholder="place, function or id" value={words.value} onInput={(e) => type(e.currentTarget.value)} autocomplete="off" spellcheck={false} />
			</form>
			<ul aria-label="found">
				{list.map((h) => <li><button type="button" onClick={() => choose(h)}><b>{h.what}</b> <span class="faint">{h.where}</span></button></li>)}
				{words.value !== '' && list.length === 0 && <li class="faint">nothing found</li>}
			</ul>
		</dialog>
	);
};
