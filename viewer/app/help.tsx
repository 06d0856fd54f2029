// SPDX-License-Identifier: MIT
import { useEffect, useRef } from 'preact/hooks';
import { is_help_open, keys } from './keys.ts';

export const Help = () => {
	const dialog = useRef<HTMLDialogElement>(null);
	const is_open = is_help_open.value;
	useEffect(() => {
		if (is_open && dialog.current && !dialog.current.open) dialog.current.showModal();
	}, [is_open]);
	if (!is_open) return null;
	const row = (k: typeof keys[number]) => <tr><th scope="row"><kbd>{k.shown ?? k.keys[0]}</kbd></th><td>{k.what}</td></tr>;
	return (
		<dialog ref={dialog} id="help" aria-labelledby="help-title" onClose={() => { is_help_open.value = false; }}>
			<h2 id="help-title">Keys</h2>
			<div class="columns">
				<table><caption>anywhere</caption><tbody>{keys.filter((k) => !k.is_of_picture).map(row)}</tbody></table>
				<table><caption>in the graph (<kbd>g</kbd>)</caption><tbody>{keys.filter((k) => k.is_of_picture).map(row)}</tbody></table>
				<table><caption>in the timeline (<kbd>t</kbd>)</caption><tbody>{[['W S', 'zoom in and out'], ['A D', 'earlier and later'], ['R', 'select the range in view, or nothing'], ['0', 'the whole run'], ['. ,', 'next grain, previous grain'], ['Enter', 'open the grain in the graph']].map(([k, what]) => <tr><th scope="row"><kbd>{k}</kbd></th><td>{what}</td></tr>)}</tbody></table>
			</div>
			<p><button type="button" onClick={() => { is_help_open.value = false; }}>Close</button></p>
		</dialog>
	);
};
