// SPDX-License-Identifier: MIT
// Two runs at a glance: how much faster this one is than the one before, and what made the difference.
import { fields, list, number, text, type Fields } from './json.ts';
import type { Run } from './state.ts';
import { colourOf, states } from './states.ts';
import { percent, ratio, time } from './units.ts';

/** Faster or slower by less is not said to be: two runs are never equally fast. */
const least = 1.03;

interface Side {
	command: string;
	elapsed_ns: number;
	/** By state, of all threads. */
	ns: number[];
}

const side = (r: Fields): Side => {
	const totals = fields(r['totals']), program = fields(r['program']);
	return { command: list(program['command']).map(text).join(' ').replace(/^\S*\//, ''), elapsed_ns: number(program['wall_ns']) ?? number(totals['elapsed_ns']) ?? 0,
		ns: states.map((s) => number(totals[s.name === 'work' ? 'region_work_ns' : `${s.name}_ns`]) ?? 0) };
};

/** A, the reference, and B, this run; null: the page has one run. */
export const sidesOf = (run: Run): [Side, Side] | null => {
	const [a, b] = list(fields(run.container.index['diff'])['runs']).map(fields);
	return a && b ? [side(a), side(b)] : null;
};

/** In words. */
const verdict = (a: Side, b: Side): string => {
	const times = `${time(b.elapsed_ns)} instead of ${time(a.elapsed_ns)}`, faster = a.elapsed_ns / b.elapsed_ns;
	return faster >= least ? `B is ${ratio(faster)} times as fast as A: ${times}.` : 1 / faster >= least ? `B is ${ratio(1 / faster)} times as slow as A: ${times}.` : `B takes about as long as A: ${times}.`;
};

/** The states whose time differs most, and by how much of all differences. */
const causes = (a: Side, b: Side): string => {
	const all = states.map((s, k) => ({ title: s.title, by: (b.ns[k] ?? 0) - (a.ns[k] ?? 0) })).sort((x, y) => Math.abs(y.by) - Math.abs(x.by));
	const whole = Math.max(...[a, b].map((s) => s.ns.reduce((x, y) => x + y, 0)));
	const big = all.filter(({ by }) => Math.abs(by) > 0.02 * whole).slice(0, 3);
	return big.length === 0 ? 'The threads spend their time alike.' : `In the time of all threads: ${big.map(({ title, by }) => `${by < 0 ? '' : '+'}${by < 0 ? '\u2212' : ''}${time(Math.abs(by))} ${title}`).join(', ')}.`;
};

/** Both runs' bars at one scale. */
const Bars = ({ sides }: { sides: [Side, Side] }) => {
	const most = Math.max(...sides.map((s) => s.ns.reduce((x, y) => x + y, 0)), 1);
	return (
		<div class="two-bars">
			{sides.map((s, i) => <>
				<b>{i === 0 ? 'A' : 'B'}</b>
				<div class="parts" role="img" aria-label={`${i === 0 ? 'A, the reference run' : 'B, this run'}: ${states.map((x, k) => `${x.title} ${time(s.ns[k] ?? 0)}`).filter((_, k) => (s.ns[k] ?? 0) > 0).join(', ')}`}>
					{states.map((x, k) => <i style={{ width: `${100 * (s.ns[k] ?? 0) / most}%`, background: colourOf(x) }} title={`${x.title}: ${time(s.ns[k] ?? 0)}, ${percent(s.ns[k] ?? 0, most)} of the longer bar`} />)}
				</div>
			</>)}
			<ul class="keys">{states.map((x, k) => sides.some((s) => (s.ns[k] ?? 0) > 0.01 * most) && <li><i style={{ background: colourOf(x) }} aria-hidden="true" />{x.title}</li>)}</ul>
		</div>
	);
};

export const Comparison = ({ run }: { run: Run }) => {
	const sides = sidesOf(run);
	if (!sides) return null;
	const [a, b] = sides;
	return (
		<section id="comparison" aria-label="comparison of two runs">
			<p class="worst">{verdict(a, b)}</p>
			<p>{causes(a, b)} {a.command !== b.command && <>A ran <code>{a.command}</code>, B <code>{b.command}</code>.</>}</p>
			<Bars sides={sides} />
		</section>
	);
};
