// SPDX-License-Identifier: MIT
// Names of problem types for people: what is wrong, and what the values measure. Types of the user keep their own.
import type { Report } from './report.ts';

const words: Readonly<Record<string, [title: string, measure: string]>> = {
	parallel_benefit: ['granularity too fine', 'work of a grain / what creating and scheduling it costs'],
	instantaneous_parallelism_median: ['low parallelism', 'grains that could run beside it, median'],
	instantaneous_parallelism_min: ['low parallelism at times', 'grains that could run beside it, least'],
	instantaneous_parallelism_max: ['never enough parallelism', 'grains that could run beside it, most'],
	sibling_work_balance: ['load imbalance of siblings', 'longest sibling / mean of the siblings'],
	chunk_work_balance: ['load imbalance of chunks', 'longest chunk / mean of its loop'],
	chunk_work_cpu_balance: ['load imbalance of threads', 'busiest thread / mean of its loop'],
	sibling_scatter: ['siblings on distant memory', 'distance of the memory nodes of siblings'],
	memory_hierarchy_utilization: ['cache use', 'work / stalls for memory'],
	memory_footprint: ['memory footprint', 'bytes that a grain touches'],
	compute_intensity: ['compute intensity', 'computation / memory accesses'],
	work_deviation: ['work inflation', 'work / the same work on one thread'],
};

export const problemTitle = (type: string): string => words[type]?.[0] ?? type;
export const measureOf = (type: string, column: string): string => words[type]?.[1] ?? column.replace(/_ns$/, '').replaceAll('_', ' ');

/** Is there anything about waits for memory? Without it, a run without findings is not said to be fine. As src/view/prerender.c. */
export const isMemoryKnown = (r: Report): boolean => r.problems.some((p) => /^(memory_hierarchy_utilization|work_deviation)$/.test(p.type) && p.count !== null);

/** What was looked for: an area, the rules of its findings, the states of threads in it, and whether it could be measured. */
const areas = (r: Report): [string, RegExp, string[], boolean][] => {
	const measured = (...types: string[]): boolean => r.problems.some((p) => types.includes(p.type) && p.count !== null);
	const knows = (key: string): boolean => typeof r.totals[key] === 'number';
	return [
		['granularity of tasks and chunks', /^small_|^task_(creation|queue)/, ['creation', 'scheduling', 'dispatch'], measured('parallel_benefit')],
		['load balance and parallelism', /^uneven_|parallelism|^few_|^one_p|^wait_a|^inline|^teams|^taskwait/, ['idle_ready', 'idle_empty'], measured('sibling_work_balance', 'chunk_work_balance')],
		['serial parts', /^serial/, ['serial', 'serial_idle'], true],
		['fork/join overhead', /^many_regions/, ['forking'], true], ['lock contention', /mutex/, ['mutex'], knows('mutex_ns')],
		['preemption and blocked threads', /^over|^binding|^cpu_|^other_|^blocked|^wait_policy/, ['off_cpu', 'blocked'], knows('off_cpu_ns')],
		['cache use and memory footprint', /^page_faults|sharing$|_atomic$/, [], measured('memory_hierarchy_utilization', 'memory_footprint')],
		['work inflation', /inflation/, [], measured('work_deviation')],
	];
};

/** A state that takes more of the threads' time is not called fine, even if there is no finding. */
const most_fine = 0.05;

/** What was found to be good, and what nothing can be said about. */
export const checked = (r: Report): { fine: string[]; unknown: string[] } => {
	const whole = r.times.reduce((sum, c) => sum + c.ns, 0);
	const all = areas(r).filter(([, rules]) => !r.findings.some((f) => rules.test(f.rule)));
	const isLittle = (names: string[]): boolean => r.times.filter((c) => names.includes(c.name)).reduce((sum, c) => sum + c.ns, 0) <= most_fine * whole;
	return { fine: all.filter(([, , names, is_measured]) => is_measured && isLittle(names)).map(([name]) => name), unknown: all.filter(([, , , is_measured]) => !is_measured).map(([name]) => name) };
};
