// SPDX-License-Identifier: MIT
// Parts of the container that the core has, and those that it gets: tiers, then the chunks that pictures lack.
import { inflatedOf, isHere, part_kind, type Block, type Part } from '../directory.ts';
import type { Opened } from './calls.ts';
import { buffer, call, free, move, text } from './memory.ts';

/** Bytes of chunks that are here with all of their nodes, and of what is kept of others as they are seen from afar. */
const most_near = 14e6, most_afar = 24e6;
const row_bytes = 90;
/** How often it is told that more has come. */
const told_ms = 500;
/** A picture may ask for a chunk so often, each time for more of it: else two of them would take turns for ever. */
const most_tries = 4;

/** All groups of tiers are there. */
export const tiers: { are_here: Promise<unknown> } = { are_here: Promise.resolve() };

/** What went wrong in the core, which says it in one of two places. */
export const failed = (of: 'core_error' | 'core_table_why' = 'core_error'): Error => {
	const at = call(of);
	return new Error(text(at, new Uint8Array(buffer()).indexOf(0, at) - at));
};

/** Puts some blocks of a part into the core, the others stay where they are. */
export const load = async (o: Opened, part: Part, is_wanted: (b: Block) => boolean): Promise<void> => {
	const wanted = part.blocks.filter(is_wanted);
	const raw = await inflatedOf(o.container, part, wanted);
	wanted.forEach((b, i) => {
		const bytes = raw[i] ?? new Uint8Array(0), n = bytes.length, at = move(bytes);
		const is_fine = call('core_put', part.kind, part.number, b.column, b.rows, b.width, b.code, b.state, at, n);
		free(at);
		if (!is_fine) throw failed();
	});
};

const forPictures = (part: Part) => (b: Block): boolean => call('core_is_for_pictures', part.kind, b.column) !== 0;

const rows_node = 0;
const sum = (of: Iterable<number>): number => [...of].reduce((all, k) => all + call('core_bytes', k), 0);

export class Parts {
	/** Chunks with all of their nodes, and those that are seen from afar: the one that was asked for last at the end. */
	private readonly near = new Set<number>();
	private readonly afar = new Set<number>();
	private wanted: number[] = [];
	private coming: number | null = null;
	private readonly lost = new Set<number>();
	private is_busy = false;
	private picture = '';
	private readonly tries = new Map<number, number>();
	/** Of the picture that asked last: what has less work cannot be told apart, and how many rows of a chunk may be kept. */
	private least = 1;
	private n_max = 0;
	private tiers: Promise<void> = Promise.resolve();
	readonly n: number;

	constructor(private readonly o: Opened, private readonly onmore: () => void, private readonly onchunk: (p: Part) => Promise<void>) {
		const chunks = o.parts.filter((p) => p.kind === part_kind.chunk);
		for (const p of chunks) if (!isHere(p)) this.lost.add(p.number);
		this.n = chunks.length;
	}

	of(kind: number, number: number): Part | undefined {
		return this.o.parts.find((p) => p.kind === kind && p.number === number);
	}

	/** All of a part that pictures need. */
	private async take(part: Part): Promise<void> {
		await load(this.o, part, forPictures(part));
		if (!call('core_ready', part.kind, part.number)) throw failed();
	}

	/** What is asked for waits for it: groups that chunks begin in are in tiers. */
	tier = (k: number): Promise<void> => {
		const part = this.of(part_kind.tier, k);
		return this.tiers = part ? this.take(part) : Promise.resolve();
	};

	/** Chunks that have not been asked for go afar, or altogether. */
	private makeRoom(bytes: number): void {
		for (const k of this.near) {
			if (this.near.size === 0 || sum(this.near) + bytes <= most_near) break;
			this.near.delete(k);
			const n = this.tries.get(k) ?? 1;
			if (call('core_thin', k, n < most_tries ? this.least / 8 ** (n - 1) : 0, this.n_max)) this.afar.add(k);
			else call('core_drop', k);
		}
		for (const k of this.afar) {
			if (sum(this.afar) <= most_afar) break;
			this.afar.delete(k);
			call('core_drop', k);
		}
	}

	/** A chunk now, whatever else is wanted. */
	chunk = async (k: number): Promise<void> => {
		const part = this.of(part_kind.chunk, k);
		if (!part || this.lost.has(k)) throw new Error('these grains are not in this file');
		await this.tiers.catch(() => undefined);
		this.near.delete(k);
		this.makeRoom((part.rows[rows_node] ?? 0) * row_bytes);
		try {
			await this.take(part);
			this.afar.delete(k);
			this.near.add(k);
		} catch (error) {
			this.lost.add(k);
			call('core_drop', k);
			throw error;
		}
	};

	/** How bad grains of a chunk are, where that can be seen. */
	private async judge(k: number): Promise<void> {
		const part = this.of(part_kind.chunk, k);
		if (part && (call('core_has_bad_grains', k, this.least) || call('core_wants_values', k))) await this.onchunk(part);
	}

	has(k: number): boolean { return this.near.has(k); }

	/** What a picture lacks comes one by one, the most visible first, and is told when it is there. How much there is to come, and how
	 *  much never will. */
	want(picture: string, least: number, chunks: number[]): { coming: number; absent: number } {
		if (picture !== this.picture) this.tries.clear();
		this.picture = picture;
		this.least = least;
		this.n_max = Math.max(500, Math.floor(most_afar / row_bytes / Math.max(8, chunks.length, this.afar.size)));
		this.wanted = chunks.filter((k) => k !== this.coming && !this.near.has(k) && !this.lost.has(k) && (this.tries.get(k) ?? 0) < most_tries);
		if (!this.is_busy) void this.work();
		return { coming: this.wanted.length + Number(this.coming !== null), absent: chunks.filter((k) => this.lost.has(k)).length };
	}

	private async work(): Promise<void> {
		let told = 0;
		this.is_busy = true;
		for (let k = this.wanted.shift(); k !== undefined; k = this.wanted.shift()) {
			this.coming = k;
			this.tries.set(k, (this.tries.get(k) ?? 0) + 1);
			try {
				await this.chunk(k);
				await this.judge(k);
			} catch (error) {
				// it stays drawn as well as the tiers know it
				postMessage({ id: 0, trouble: error instanceof Error ? error.message : String(error) });
			}
			this.coming = null;
			// a picture takes about as long as a chunk
			if (this.wanted.length > 0 && performance.now() < told + told_ms) continue;
			told = performance.now();
			this.onmore();
		}
		this.is_busy = false;
	}
}
