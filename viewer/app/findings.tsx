// SPDX-License-Identifier: MIT
// The list of findings, worst first, as the report orders them.
import type { Finding, Report } from './report.ts';
import { accepted, finding, put } from './state.ts';
import { time } from './units.ts';
import { checked } from './words.ts';

export const keyOf = (f: Finding): string => `${f.rule}@${f.place.label}`;

/** Of the time that the finding is a part of: savings below are not marked. */
const least_marked = 0.05;
/** How much of what the worst finding costs another one does: red is for the first alone. As src/view/prerender.c. */
export const severity = (f: Finding, number: number, worst: number): string => f.gain_ns < least_marked * (f.of_ns ?? 0) ? 'low' : number === 1 ? 'worst' : f.gain_ns > worst / 2 ? 'high' : f.gain_ns > worst / 8 ? 'some' : 'low';

const Item = ({ f, number, worst }: { f: Finding; number: number; worst: number }) => {
	const is_accepted = accepted.value.has(keyOf(f));
	return (
		<li class={is_accepted ? 'accepted' : ''}>
			<button type="button" class={`finding ${worst === Infinity ? 'low' : severity(f, number, worst)}`} id={`finding-${number}`} aria-current={finding.value === number - 1 ? 'true' : undefined} title="Show this finding: evidence, source, what to try"
				onClick={() => put({ finding: number, page: null, node: null }, true)}>
				<span class="title">{f.title}</span>
				<span class="gain">{`-${time(f.gain_ns)}`}</span>
				<span class="where">{f.place.label || 'whole program'}{f.place.func && <> <i>{f.place.func}</i></>}</span>
				<span class="why">{is_accepted ? 'dismissed' : f.why}</span>
				<span class="why">{`could save ${time(f.low_ns)} to ${time(f.high_ns)}`}</span>
			</button>
		</li>
	);
};

/** What was looked for and found to be good, and what was not measured. */
const Checked = ({ report }: { report: Report }) => {
	const { fine, unknown } = checked(report);
	return (
		<p class="faint small" id="checked">
			{fine.length > 0 && <><b>Checked and fine:</b> {fine.join(', ')}. </>}
			{unknown.length > 0 && <><b>Not measured:</b> {unknown.join(', ')}.</>}
		</p>
	);
};

export const Findings = ({ report }: { report: Report }) => {
	const has = report.findings.length > 0, list = has ? report.findings : report.near;
	const worst = Math.max(...list.map((f) => f.gain_ns));
	return (
		<section class="findings" aria-labelledby="findings-title">
			<h2 id="findings-title" title="One for each cause; saving: of the elapsed time">{report.order ? `Findings; ${report.order}` : has ? 'Findings, worst first' : report.is_imported ? 'No findings: they need a recording' : report.is_emulated ? 'No advice: times are not its own' : report.is_withheld ? 'No findings: the verdict is withheld' : report.near.length > 0 ? 'Below the threshold, largest first' : 'Findings'}</h2>
			<ol id="findings">
				{list.map((f, i) => <Item f={f} number={i + 1} worst={has ? worst : Infinity} key={keyOf(f)} />)}
			</ol>
			{list.length > 1 && <p class="faint small">Savings overlap: the detail of a finding says what it saves after those above.</p>}
			{report.is_imported && <p class="faint small">An imported table has no waits and no start times. Grains beyond thresholds are in the graph, and in the table of grains.</p>}
			{!report.is_emulated && !report.is_withheld && !report.is_imported && <Checked report={report} />}
		</section>
	);
};
