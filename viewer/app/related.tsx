// SPDX-License-Identifier: MIT
// What the selected node depends on and what depends on it, as text: complete without the picture, which draws the same.
import { signal } from '@preact/signals';
import { stage } from './picture.tsx';
import { get } from './state.ts';
import { count, time } from './units.ts';
import type { Related } from './worker/related.ts';

export const related = signal<Related | null>(null);

/** By enum page_relation. */
const names = ['ended before it started', 'made by', 'waited for by', 'started after it', 'rogue tasks it made', 'rogue tasks it waited for'];

export const RelatedList = () => {
	const r = related.value, is_on = get('dependences') === 'yes';
	return (
		<>
			<p class="buttons"><button type="button" id="show-related" aria-pressed={is_on} onClick={() => stage.value?.toggleDependences()}>Dependences</button></p>
			{is_on && r && <div id="related">
				{!r.is_done && <p>looking</p>}
				{r.is_done && r.kinds.every((k) => k.n === 0) && <p id="no-related">no dependences, no rogue tasks</p>}
				{r.kinds.map((k, i) => k.n > 0 && <>
					<h3>{names[i]} <small>{k.shown.length} of {count(k.n)} shown{k.shown.length > 1 && ', longest first'}</small></h3>
					<ul>{k.shown.map((x) => <li><button type="button" onClick={() => { void stage.value?.select(x.node); void stage.value?.show(x.node); }}>{x.id ?? `node ${x.node}`}</button> {time(x.work_ns)} {x.place}</li>)}</ul>
				</>)}
				{r.n_absent > 0 && <p class="faint small">{count(r.n_absent)} parts of the run are not in this file: there may be more</p>}
			</div>}
		</>
	);
};
