// SPDX-License-Identifier: MIT
// Where the time went, in one bar over the whole width: the categories of the report, each in a colour of its own.
import { number } from './json.ts';
import type { Report } from './report.ts';
import { stateColour } from './states.ts';
import { count, percent, time } from './units.ts';

/** Smaller parts have no name beside the bar. */
const least_named = 0.02;

export const TimeBar = ({ report }: { report: Report }) => {
	const whole = number(report.time['thread_ns']) ?? 0;
	if (whole === 0 || report.times.length === 0) return null;
	const name = (title: string, ns: number): string => `${title} ${percent(ns, whole)}`;
	const named = report.times.filter((c) => c.ns >= least_named * whole);
	return (
		<div id="time-bar">
			<div class="parts" role="img" aria-label={`Where the time of the threads went: ${report.times.map((c) => name(c.title, c.ns)).join(', ')}`}>
				{report.times.map((c) => <i style={{ flexGrow: c.ns / whole, background: stateColour(c.name) }} title={name(c.title, c.ns)} />)}
			</div>
			<ul>
				<li><h2 title="Time of all threads, in the categories of the report">Where the time went</h2> {`${count(report.threads)} ${report.threads === 1 ? 'thread' : 'threads'} x ${time(whole / report.threads)}`}</li>
				{named.map((c) => <li><i style={{ background: stateColour(c.name) }} aria-hidden="true" />{name(c.title, c.ns)}</li>)}
			</ul>
		</div>
	);
};
