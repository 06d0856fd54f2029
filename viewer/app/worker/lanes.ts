// SPDX-License-Identifier: MIT
// When threads ran which grain: a pass (table.ts) over the chunks that have grains in a window of time.
import type { Picture } from '../../core/page.ts';
import { part_kind } from '../directory.ts';
import { calls, run } from './calls.ts';
import { fields, numbers } from '../json.ts';
import { call, free, put } from './memory.ts';
import { failed } from './parts.ts';
import { picture } from './pictures.ts';
import { begin, goOn } from './table.ts';
import { times } from './timeline.ts';

export interface Window {
	from: number;
	to: number;
	/** In pixels: its width, and each thread's height. */
	width: number;
	row: number;
	n_threads: number;
	selected: number;
}

export interface Lanes {
	/** Null: there are too many grains to be drawn one by one. */
	picture: Picture | null;
	n_grains: number;
	/** Grains of parts that the file does not hold; some may have run then. */
	n_left_out: number;
}

const rows_grain = 1;
/** More grains than this are not looked for: most would not be drawn. */
const most = 40000;

calls.set('lanes', async (w: Window): Promise<Lanes> => {
	const { parts, container } = await run();
	const row_of = numbers(fields(container.index['threads'])['row_of_thread']);
	if (row_of.length > 0) {
		const at = put(new Uint8Array(Uint32Array.from(row_of).buffer));
		call('core_lanes_rows', at, row_of.length);
		free(at);
	}
	let expected = 0;
	const of = parts.filter((p) => {
		const [first, last] = times(p);
		const n = Math.min(last, w.to) - Math.max(first, w.from);
		if (p.kind !== part_kind.chunk || n <= 0) return false;
		expected += (p.rows[rows_grain] ?? 0) * n / (last - first);
		return true;
	});
	if (expected > most) return { picture: null, n_grains: 0, n_left_out: 0 };
	call('core_table_ask_nothing');
	call('core_lanes_ask');
	let has_begun = false, is_full = false;
	const start = (): void => {
		if (!has_begun) call('core_lanes_begin', w.from, w.to, w.width, w.row, w.n_threads, w.selected);
		has_begun = true;
	};
	const s = await begin(of, () => {
		start();
		const status = call('core_lanes_take');
		if (status === 0) throw failed();
		is_full = status > 1;
	}, () => is_full);
	while (!await goOn(s));
	start();
	const status = call('core_lanes_draw');
	if (status === 0) throw failed();
	return { picture: status > 1 ? null : picture(), n_grains: call('core_n_grains'), n_left_out: s.n_left_out };
});
