// SPDX-License-Identifier: MIT
// Where a container's bytes come from: the page itself, a file, or a server. All answer alike.

export type Bytes = Uint8Array<ArrayBuffer>;

export interface ChunkSource {
	/** What a reader is told of where the data are. */
	readonly name: string;
	/** Bytes of the whole of it, where that is known. */
	readonly size: number | null;
	/** Bytes [at, at + n) of the container, the caller's own; fails when they are not there. */
	read(at: number, n: number): Promise<Bytes>;
}

/** One part of a container inside the page, and where in the container it begins. */
interface Piece {
	at: number;
	n: number;
	bytes: Blob | Bytes;
}

/** What the page's first script gathers (build.mjs): pieces in order of arrival. */
interface Arrivals {
	pieces: Piece[];
	/** WebAssembly, for the worker. */
	core: Promise<Bytes>;
	/** A worker that runs the page's script (both.ts). */
	worker: () => Worker;
	/** Pieces that are in the page as text, until what is in them is needed at once. */
	later: HTMLElement[];
	hurry: () => void;
	/** Called for each further piece. */
	more?: () => void;
}

declare global {
	interface Window { winnow: Arrivals }
}

/** The container that `winnow view` wrote into the page. Parts of it may still be arriving. */
export class Embedded implements ChunkSource {
	readonly name = 'this page';
	readonly size = null;
	private waiting: (() => void)[] = [];

	constructor(private readonly arrivals: Arrivals) {
		const wake = (): void => { for (const f of this.waiting.splice(0)) f(); };
		arrivals.more = wake;
		if (document.readyState === 'loading')
			document.addEventListener('DOMContentLoaded', () => { arrivals.hurry(); wake(); });
	}

	async read(at: number, n: number): Promise<Bytes> {
		for (;;) {
			const parts = this.find(at, n);
			if (parts?.length === 1 && parts[0] instanceof Uint8Array) return parts[0];
			if (parts) return new Uint8Array(await new Blob(parts).arrayBuffer().catch(() => { throw new Error('the browser had no room for the run'); }));
			this.arrivals.hurry();
			if (document.readyState !== 'loading' && this.arrivals.later.length === 0)
				throw new Error(`this page does not hold bytes ${at} to ${at + n} of the run`);
			await new Promise<void>((done) => { this.waiting.push(done); });
		}
	}

	/** Where the bytes are, if all are here: they may lie in several pieces. */
	private find(at: number, n: number): (Blob | Bytes)[] | null {
		const out: (Blob | Bytes)[] = [];
		for (let to = at; to < at + n;) {
			const p = this.arrivals.pieces.find((x) => to >= x.at && to < x.at + x.n);
			if (!p) return null;
			const end = Math.min(p.at + p.n, at + n);
			out.push(p.bytes.slice(to - p.at, end - p.at));
			to = end;
		}
		return out;
	}
}

/** A container that was dropped on the page. */
export class Dropped implements ChunkSource {
	readonly name: string;
	readonly size: number;

	constructor(private readonly file: File) {
		this.name = file.name;
		this.size = file.size;
	}

	async read(at: number, n: number): Promise<Bytes> {
		const bytes = new Uint8Array(await this.file.slice(at, at + n).arrayBuffer());
		if (bytes.length !== n)
			throw new Error(`the file ends at byte ${at + bytes.length}, and ${at + n} are needed`);
		return bytes;
	}
}

/** A container that `winnow view --serve` serves beside the page. */
export class Served implements ChunkSource {
	readonly name = 'the server';
	size: number | null = null;

	constructor(private readonly url: string) {}

	async read(at: number, n: number): Promise<Bytes> {
		if (n === 0) return new Uint8Array(0);
		const answer = await fetch(this.url, { headers: { Range: `bytes=${at}-${at + n - 1}` } });
		if (answer.status !== 206)
			throw new Error(`the server answered ${answer.status} to bytes ${at} to ${at + n}`);
		const total = Number(answer.headers.get('Content-Range')?.split('/')[1]);
		if (Number.isSafeInteger(total)) this.size = total;
		const bytes = new Uint8Array(await answer.arrayBuffer());
		if (bytes.length !== n)
			throw new Error(`the server sent ${bytes.length} bytes in place of ${n}`);
		return bytes;
	}
}
