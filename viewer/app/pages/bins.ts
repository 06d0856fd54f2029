// SPDX-License-Identifier: MIT
// When threads worked, in bins of time: the table of winnow-grains(5).
import { signal } from '@preact/signals';
import { column, directory, part_kind } from '../directory.ts';
import { fields, number } from '../json.ts';
import type { Run } from '../state.ts';

export interface Bins {
	n_threads: number;
	n_bins: number;
	bin_ns: number;
	/** Thread by thread. */
	work: Float64Array;
	/** The site of most of the work; NaN where there is none. */
	site: Float64Array | null;
}

export const bins = signal<Bins | null>(null);
export const bins_trouble = signal('');
let bins_of: Run['container'] | null = null;

export const loadBins = async (run: Run): Promise<void> => {
	if (bins_of === run.container) return;
	bins_of = run.container;
	bins.value = null;
	bins_trouble.value = '';
	try {
		const t = fields(run.container.index['threads']);
		const part = (await directory(run.container)).find((p) => p.kind === part_kind.threads);
		const work = part && await column(run.container, part, 'work_ns');
		const n_bins = number(t['n_bins']) ?? 0;
		const bin_ns = number(t['bin_ns']) ?? 0;
		if (!part || !work || n_bins === 0 || !(bin_ns > 0)) { bins_trouble.value = 'This run does not tell when its threads worked.'; return; }
		bins.value = { n_threads: Math.floor(work.length / n_bins), n_bins, bin_ns, work, site: await column(run.container, part, 'site') };
	} catch (error) {
		bins_trouble.value = error instanceof Error ? error.message : String(error);
	}
};

/** How many threads were at work, bin by bin. */
export const busy = (b: Bins): number[] => {
	const out = new Array<number>(b.n_bins).fill(0);
	for (let t = 0; t < b.n_threads; t++)
		for (let i = 0; i < b.n_bins; i++) out[i] = (out[i] ?? 0) + Math.min(1, (b.work[t * b.n_bins + i] ?? 0) / b.bin_ns);
	return out;
};
