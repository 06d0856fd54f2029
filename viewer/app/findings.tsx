// SPDX-License-Identifier: MIT
// The list of findings, worst first, as the report orders them.
import type { Finding, Report } from './report.ts';
import { accepted, finding, put } from './state.ts';
import { time } from './units.ts';

export const keyOf = (f: Finding): string => `${f.rule}@${f.place.label}`;

export const Gain = ({ f }: { f: Finding }) => <span class="gain"><small>about </small>{time(f.gain_ns)}</span>;

const Item = ({ f, number }: { f: Finding; number: number }) => {
	const is_accepted = accepted.value.has(keyOf(f));
	return (
		<li class={is_accepted ? 'accepted' : ''}>
			<button type="button" class="finding" id={`finding-${number}`} aria-current={finding.value === number - 1 ? 'true' : undefined}
				onClick={() => put({ finding: number, page: null, node: null }, true)}>
				<span class="title">{f.title}</span>
				<Gain f={f} />
				<span class="where">{f.place.label || 'whole program'}{f.place.func && <> <i>{f.place.func}</i></>}</span>
				<span class="why">{is_accepted ? 'accepted' : f.why}</span>
			</button>
		</li>
	);
};

export const Findings = ({ report }: { report: Report }) => {
	const has = report.findings.length > 0;
	return (
		<section class="findings" aria-labelledby="findings-title">
			<h2 id="findings-title">{has ? 'What to change, worst first' : report.is_emulated ? 'No advice: times are not its own' : report.is_withheld ? 'No findings: waits may be missing' : 'No significant problem found'}</h2>
			{!has && report.near.length > 0 && <p class="faint" id="near-title">The largest findings below the threshold:</p>}
			<ol id="findings">
				{(has ? report.findings : report.near).map((f, i) => <Item f={f} number={i + 1} key={keyOf(f)} />)}
			</ol>
			{has && <p class="faint small">Expected savings of elapsed time. They overlap: each finding shows what it saves after those above.</p>}
		</section>
	);
};
