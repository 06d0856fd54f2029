// SPDX-License-Identifier: MIT
// The core, off the main thread. Messages are {id, call, args}; each is answered once by {id, ok} or
// {id, error}, in order.
import bytes from './core.wasm';

export interface Call {
	id: number;
	call: string;
	args: unknown[];
}

interface Exports {
	memory: WebAssembly.Memory;
	core_alloc(n: number): number;
	core_free(at: number): void;
}

let core: Promise<Exports> | undefined;
const load = async (): Promise<Exports> =>
	(await WebAssembly.instantiate(bytes, {})).instance.exports as unknown as Exports;

const calls: Record<string, (e: Exports, ...args: unknown[]) => unknown> = {
	/** Is the core alive? Its memory, in bytes. */
	memory: (e) => e.memory.buffer.byteLength,
};

self.onmessage = async (event: MessageEvent<Call>) => {
	const { id, call, args } = event.data;
	try {
		const f = calls[call];
		if (!f) throw new Error(`the core has no ${call}`);
		postMessage({ id, ok: f(await (core ??= load()), ...args) });
	} catch (error) {
		postMessage({ id, error: error instanceof Error ? error.message : String(error) });
	}
};
