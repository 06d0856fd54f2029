// SPDX-License-Identifier: MIT
// Which grains have which problem, and how bad it is, for pictures: by a table of its own (table.ts), so that no pass of
// the shell's is disturbed.
import { part_kind, type Part } from '../directory.ts';
import { calls, run, type Opened } from './calls.ts';
import { call } from './memory.ts';
import { failed } from './parts.ts';
import { isHere, prepare, read, take, wants } from './table.ts';

const rows_summary = 3;

/** Calls that mean this table; nothing may be awaited inside. */
const mine = <T>(f: () => T): T => {
	call('core_table_use', 1);
	try { return f(); } finally { call('core_table_use', 0); }
};

let prepared: Promise<void> | null = null;
let stamp = 0;
let turn: Promise<unknown> = Promise.resolve();

/** One after the other, whatever became of the one before. */
const inTurn = <T>(f: () => Promise<T>): Promise<T> => {
	const next = turn.then(f, f);
	turn = next.catch(() => undefined);
	return next;
};

const bring = async (o: Opened, p: Part, isWanted: (rows: number) => boolean): Promise<void> => {
	const blocks = await read(o, p, mine(() => p.blocks.filter((b) => isWanted(b.rows) && wants(p, b))));
	mine(() => take(p, blocks));
};

/** What rows of chunks refer to. */
const tables = async (o: Opened): Promise<void> => {
	mine(() => call('core_judge_ask'));
	for (const p of o.parts)
		if (mine(() => call('core_table_wants_part', p.kind)) !== 0) await bring(o, p, () => true);
	if (mine(() => call('core_table_wants_groups')) !== 0)
		for (const p of o.parts)
			if (p.kind === part_kind.chunk && (p.rows[rows_summary] ?? 0) > 0) await bring(o, p, (rows) => rows === rows_summary);
	mine(() => call('core_table_has_tables'));
};

const ready = (o: Opened): Promise<void> => prepared ??= (async () => {
	mine(() => prepare(o));
	await tables(o);
})();

const one = async (o: Opened, p: Part): Promise<void> => {
	const blocks = await read(o, p, mine(() => p.blocks.filter((b) => wants(p, b))));
	mine(() => {
		take(p, blocks);
		if (!call('core_judge', p.number)) throw failed();
	});
};

/** A chunk that has come. */
export const judge = (o: Opened, p: Part): Promise<void> => inTurn(async () => {
	await ready(o);
	await one(o, p);
});

/** Moves a threshold and judges all chunks; how many grains have the problem then. A newer call ends this one. */
calls.set('threshold', (problem: number, value: number): Promise<number> => {
	const own = ++stamp;
	return inTurn(async () => {
		const o = await run();
		if (own !== stamp) return NaN;
		await ready(o);
		mine(() => call('core_table_threshold', problem, value));
		await tables(o);
		call('core_threshold', problem, value);
		if (!call('core_judge_begin')) throw failed();
		try {
			for (const p of o.parts)
				if (p.kind === part_kind.chunk && own === stamp && isHere(p)) await one(o, p);
		} finally {
			call('core_judge_end');
		}
		return call('core_count', problem);
	});
});
