// SPDX-License-Identifier: MIT
// The core, off the main thread. Messages are {id, call, args}; each is answered once by {id, ok} or {id, error}.
// Calls that must not overtake one another wait for one another (calls.ts).
import { answered } from './asking.ts';
import { calls, open } from './calls.ts';
import './pictures.ts';
import './related.ts';
import './table.ts';
import './lanes.ts';
import './timeline.ts';
import './names.ts';

interface Call {
	id: number;
	call: string;
	args: unknown[];
}

/** What the worker does with a message. */
export const serve = async (event: MessageEvent<Call | { reply: number }>): Promise<void> => {
	if ('reply' in event.data) { answered(event.data); return; }
	const { id, call, args } = event.data;
	try {
		const f = call === 'open' ? open : calls.get(call);
		if (!f) throw new Error(`the core has no ${call}`);
		const ok = await f(...args as never[]);
		postMessage({ id, ok }, { transfer: transferable(ok) });
	} catch (error) {
		postMessage({ id, error: error instanceof Error ? error.message : String(error) });
	}
};

/** Pictures are given away, not copied. */
const transferable = (ok: unknown): Transferable[] => {
	const of = ok as { pixels?: unknown; picture?: { shapes?: unknown } } | null | undefined, bytes = of?.picture?.shapes ?? of?.pixels;
	return bytes instanceof ArrayBuffer ? [bytes] : [];
};
