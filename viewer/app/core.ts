// SPDX-License-Identifier: MIT
// The core as seen by the page: promises of what the worker answers. The worker asks back for bytes of the container.
import type { Container } from './container.ts';
import { marksOf, type Mark } from './index.ts';
import { count, ratio, time } from './units.ts';
import type { Sought } from './worker/names.ts';
import type { Fact, Picture, Step, View, Way } from '../core/page.ts';

interface Answer {
	id: number;
	ok?: unknown;
	error?: string;
	/** In place of an answer: the worker needs bytes [at, at + n). */
	read?: { at: number; n: number };
	/** In place of an answer: tables have come, and pictures can be drawn better. */
	more?: true;
	/** In place of an answer: a part of the container could not be read. */
	trouble?: string;
}

interface Waiting {
	done: (value: never) => void;
	fail: (error: Error) => void;
}

export interface Drawn {
	picture: Picture;
	/** Of the whole world. */
	width: number;
	height: number;
	/** Parts that it lacks: those to come, and those that are not in the file. */
	coming: number;
	absent: number;
}

/** In words: how a group was in the run before. */
const differs = ({ what, id, members: [na, nb], work_ns: [wa, wb] }: Mark): string => {
	const n = `${count(na ?? 0)} members, ${time(wa ?? 0)}`;
	return what === 'created' ? `created: it had no ${id}` : what === 'vanished' ? `vanished: it had ${id}, ${n}`
		: what === 'changed' ? `changed: ${id} had ${n}; now ${count(nb ?? 0)} members, ${time(wb ?? 0)}`
		: `${what}: ${ratio(wa ? (wb ?? 0) / wa : null)} times as long; members of ${id} took ${time(wa ?? 0)}, now ${time(wb ?? 0)}`;
};

export class Core {
	private readonly worker: Worker;
	private readonly waiting = new Map<number, Waiting>();
	private last = 0;
	private marks: Mark[] | null = null;
	private readonly wait_for_more = new Set<() => void>();
	/** Calls `f` whenever a picture can be drawn better than before, until what this returns is called. */
	onmore(f: () => void): () => void { this.wait_for_more.add(f); return () => { this.wait_for_more.delete(f); }; }
	/** Called when a part of the container could not be read. */
	ontrouble: (text: string) => void = () => undefined;

	constructor(private readonly container: Container) {
		this.worker = window.winnow.worker();
		this.worker.onerror = (e) => this.die(e.message || 'the worker could not start');
		this.worker.onmessage = (e: MessageEvent<Answer>) => {
			const { id, ok, error, read, more, trouble } = e.data;
			if (more) { for (const f of this.wait_for_more) f(); return; }
			if (trouble !== undefined) { this.ontrouble(trouble); return; }
			if (read) { void this.answer(id, read.at, read.n); return; }
			const w = this.waiting.get(id);
			this.waiting.delete(id);
			if (error === undefined) w?.done(ok as never);
			else w?.fail(new Error(error));
		};
	}

	private async answer(id: number, at: number, n: number): Promise<void> {
		try {
			const bytes = await this.container.source.read(at, n);
			this.worker.postMessage({ reply: id, bytes }, [bytes.buffer]);
		} catch (error) {
			this.worker.postMessage({ reply: id, error: error instanceof Error ? error.message : String(error) });
		}
	}

	/** Any call that the worker knows. */
	call<T>(call: string, ...args: unknown[]): Promise<T> {
		const id = ++this.last;
		return new Promise((done, fail) => {
			this.waiting.set(id, { done, fail });
			this.worker.postMessage({ id, call, args });
		});
	}

	private die(why: string): void {
		for (const w of this.waiting.values()) w.fail(new Error(why));
		this.waiting.clear();
	}

	close(): void {
		this.worker.terminate();
		this.die('closed');
	}

	async open(): Promise<void> { return this.call('open', await window.winnow.core, this.container.head, this.container.index); }
	draw(view: View): Promise<Drawn> { return this.call('draw', view); }
	/** The rectangle of a node in the world; null where it is not drawn. */
	frame(view: View, node: number): Promise<{ x: number; y: number; w: number; h: number } | null> { return this.call('frame', view, node); }
	step(node: number, way: Way, problem: number): Promise<number | null> { return this.call('step', node, way, problem); }
	async facts(node: number): Promise<Fact[]> {
		const facts = await this.call<Fact[]>('facts', node);
		this.marks ??= marksOf(this.container.index);
		const change = this.marks.filter((m) => m.node === node).map(differs).join('; ');
		return change ? [...facts, { key: 'change', text: change, value: null }] : facts;
	}
	path(node: number): Promise<Step[]> { return this.call('path', node); }
	find(words: string, most: number): Promise<Step[]> { return this.call('find', words, most); }
	/** Readable ids, as those of the command line; null where the file does not have them. */
	names(nodes: number[]): Promise<(string | null)[]> { return this.call('names', nodes); }
	seek(id: string, most: number): Promise<Sought> { return this.call('seek', id, most); }
	svg(view: View): Promise<string> { return this.call('svg', view); }
}
