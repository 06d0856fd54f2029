// SPDX-License-Identifier: MIT
// The core, off the main thread. Messages are {id, call, args}; each is answered once by {id, ok} or
// {id, error}, in order.
import bytes from './core.wasm';

interface Call {
	id: number;
	call: string;
	args: unknown[];
}

interface Exports {
	memory: WebAssembly.Memory;
}

let core: Exports | null = null;

const calls: Record<string, (...args: never[]) => unknown> = {
	open: async (): Promise<void> => {
		core = (await WebAssembly.instantiate(bytes, {})).instance.exports as unknown as Exports;
	},
};

self.onmessage = async (event: MessageEvent<Call>) => {
	const { id, call, args } = event.data;
	try {
		const f = calls[call];
		if (!f || (!core && call !== 'open')) throw new Error(`the core has no ${call}`);
		postMessage({ id, ok: await f(...args as never[]) });
	} catch (error) {
		postMessage({ id, error: error instanceof Error ? error.message : String(error) });
	}
};
