// SPDX-License-Identifier: MIT
// The core as seen by the page: promises of what the worker answers.
import text from 'worker:text';

interface Answer {
	id: number;
	ok?: unknown;
	error?: string;
}

interface Waiting {
	done: (value: unknown) => void;
	fail: (error: Error) => void;
}

export class Core {
	private readonly worker: Worker;
	private readonly waiting = new Map<number, Waiting>();
	private last = 0;

	constructor() {
		const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
		this.worker = new Worker(url);
		URL.revokeObjectURL(url);
		this.worker.onerror = (e) => this.die(e.message || 'the worker could not start');
		this.worker.onmessage = (e: MessageEvent<Answer>) => {
			const w = this.waiting.get(e.data.id);
			this.waiting.delete(e.data.id);
			if (e.data.error === undefined) w?.done(e.data.ok);
			else w?.fail(new Error(e.data.error));
		};
	}

	call(call: string, args: unknown[] = [], transfer: Transferable[] = []): Promise<unknown> {
		const id = ++this.last;
		return new Promise((done, fail) => {
			this.waiting.set(id, { done, fail });
			this.worker.postMessage({ id, call, args }, transfer);
		});
	}

	private die(why: string): void {
		for (const w of this.waiting.values()) w.fail(new Error(why));
		this.waiting.clear();
	}
}
