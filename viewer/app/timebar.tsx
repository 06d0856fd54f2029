// SPDX-License-Identifier: MIT
// Where the time went, in one bar over the whole width: the categories of the report, each in a colour of its own.
import { number } from './json.ts';
import type { Report } from './report.ts';
import { stateColour } from './states.ts';
import { percent } from './units.ts';

/** Smaller parts have no name beside the bar. */
const least_named = 0.02;

/** With `is_legend`, only the names: the bars are elsewhere. */
export const TimeBar = ({ report, is_legend }: { report: Report; is_legend: boolean }) => {
	const whole = number(report.time['thread_ns']) ?? 0;
	if (whole === 0 || report.times.length === 0) return null;
	const name = (title: string, ns: number): string => `${title} ${percent(ns, whole)}`;
	const named = report.times.filter((c) => c.ns >= least_named * whole);
	return (
		<div id="time-bar">
			{!is_legend && <div class="parts" role="img" aria-label={`Where the time of the threads went: ${report.times.map((c) => name(c.title, c.ns)).join(', ')}`}>
				{report.times.map((c) => <i style={{ flexGrow: c.ns / whole, background: stateColour(c.name) }} title={name(c.title, c.ns)} />)}
			</div>}
			<ul>
				{named.map((c) => <li><i style={{ background: stateColour(c.name) }} aria-hidden="true" />{name(c.title, c.ns)}</li>)}
			</ul>
		</div>
	);
};
