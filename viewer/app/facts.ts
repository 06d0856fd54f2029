// SPDX-License-Identifier: MIT
// What the core tells of a node, in the words of the page: columns' names are for files.
import type { Fact } from '../core/page.ts';

const names: Readonly<Record<string, string>> = {
	kind: 'kind', lineage: 'id', change: 'reference run', place: 'place', num_grains: 'grains, implicit tasks too', num_members: 'members', work_ns: 'work', span_ns: 'span', best_ns: 'time at least', num_problem: 'with the problem', num_lacking: 'not evaluated, not in this file',
	critical: 'on the critical path', thread: 'thread', cpu: 'CPU', begin_ns: 'begin', creation_ns: 'making it', made_ns: 'making children', sync_ns: 'waiting for children',
	suspended_ns: 'suspended', locked_ns: 'lock contention', num_children: 'children', range_first: 'first iteration', range_iterations: 'iterations',
	inst_par_min: 'least beside it', inst_par_max: 'most beside it', id: 'number',
};
/** What a kind of node is called. */
export const kinds: Readonly<Record<string, string>> = { linear: 'sequence', fork_join: 'fork and join', sibling: 'all contexts', implicit: 'implicit task', taskloop: 'task of a taskloop' };
const also_zero = new Set(['place', 'begin_ns', 'thread', 'cpu', 'range_first', 'work_ns']);

/** Rows of name and value, in the core's order; what only says nothing is left out. */
export const told = (facts: Fact[]): [string, string][] => {
	const out = new Map<string, string>();
	for (const f of facts) {
		const is_metric = f.key.startsWith('=');
		const name = is_metric ? f.key.slice(1) : names[f.key];
		if (name !== undefined && f.text !== '' && (f.value !== 0 || is_metric || also_zero.has(f.key)) && !out.has(name))
			out.set(name, f.key === 'kind' ? kinds[f.text] ?? f.text : f.text);
	}
	return [...out];
};

/** The readable id of the node that is told of; empty where it is not known. */
export const idOf = (facts: Fact[]): string => facts.find((f) => f.key === 'lineage')?.text ?? '';
