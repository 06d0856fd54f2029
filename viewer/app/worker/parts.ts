// SPDX-License-Identifier: MIT
// Parts of the container that the core has, and those that it gets: tiers, then the chunks that pictures lack.
import { inflatedOf, part_kind, type Block, type Part } from '../directory.ts';
import type { Opened } from './calls.ts';
import { buffer, call, free, put, text } from './memory.ts';

/** Chunks that are here at once: each takes about 12 MB. */
const most_chunks = 12;
/** Chunks that one picture may ask for: else two of them would take turns for ever. */
const most_for_one = 8;

export const failed = (): Error => {
	const at = call('core_error');
	return new Error(text(at, new Uint8Array(buffer()).indexOf(0, at) - at));
};

/** Puts some blocks of a part into the core, the others stay where they are. */
export const load = async (o: Opened, part: Part, is_wanted: (b: Block) => boolean): Promise<void> => {
	const wanted = part.blocks.filter(is_wanted);
	const raw = await inflatedOf(o.container, part, wanted);
	wanted.forEach((b, i) => {
		const bytes = raw[i] ?? new Uint8Array(0);
		const at = put(bytes);
		const is_fine = call('core_put', part.kind, part.number, b.column, b.rows, b.width, b.code, b.state, at, bytes.length);
		free(at);
		if (!is_fine) throw failed();
	});
};

const forPictures = (part: Part) => (b: Block): boolean => call('core_is_for_pictures', part.kind, b.column) !== 0;

export class Parts {
	/** The chunks that are here, the one that was asked for last at the end. */
	private here: number[] = [];
	private readonly wanted: number[] = [];
	private readonly lost = new Set<number>();
	private is_busy = false;
	private n_for_picture = 0;
	private picture = '';

	constructor(private readonly o: Opened, private readonly onmore: () => void, private readonly onchunk: (p: Part) => Promise<void>) {}

	of(kind: number, number: number): Part | undefined {
		return this.o.parts.find((p) => p.kind === kind && p.number === number);
	}

	/** All of a part that pictures need. */
	private async take(part: Part): Promise<void> {
		await load(this.o, part, forPictures(part));
		if (!call('core_ready', part.kind, part.number)) throw failed();
	}

	tier = async (k: number): Promise<void> => {
		const part = this.of(part_kind.tier, k);
		if (part) await this.take(part);
	};

	/** A chunk now, whatever else is wanted. */
	chunk = async (k: number): Promise<void> => {
		const part = this.of(part_kind.chunk, k);
		if (!part || this.lost.has(k)) throw new Error('these grains are not in this file');
		this.here = this.here.filter((x) => x !== k);
		if (this.here.length >= most_chunks) call('core_drop', this.here.shift() ?? 0);
		try {
			await this.take(part);
			this.here.push(k);
			void this.onchunk(part).then(this.onmore, () => undefined);
		} catch (error) {
			this.lost.add(k);
			call('core_drop', k);
			throw error;
		}
	};

	has(k: number): boolean { return this.here.includes(k); }

	/** What a picture lacks comes one by one, the most visible first, and is told when it is there. */
	want(picture: string, chunks: number[]): void {
		if (picture !== this.picture) this.n_for_picture = 0;
		this.picture = picture;
		this.wanted.splice(0, this.wanted.length, ...chunks.filter((k) => !this.has(k) && !this.lost.has(k)));
		if (!this.is_busy) void this.work();
	}

	private async work(): Promise<void> {
		this.is_busy = true;
		for (let k = this.wanted.shift(); k !== undefined && this.n_for_picture < most_for_one; k = this.wanted.shift()) {
			this.n_for_picture++;
			try {
				await this.chunk(k);
				this.onmore();
			} catch (error) {
				// it stays drawn as well as the tiers know it
				postMessage({ id: 0, trouble: error instanceof Error ? error.message : String(error) });
			}
		}
		this.is_busy = false;
	}
}
