// SPDX-License-Identifier: MIT
// What the colours and lines of the picture mean: always on screen.
import { mark_signs, marks } from '../core/page.ts';
import { bright, type Theme } from './paint.ts';

const Swatch = ({ colour, line, dashed }: { colour: string; line?: boolean; dashed?: boolean }) => (
	<svg class="swatch" width="14" height="10" aria-hidden="true">
		{line ? <line x1="0" x2="14" y1="5" y2="5" stroke={colour} stroke-width="2" stroke-dasharray={dashed ? '4 3' : undefined} /> : <rect width="14" height="10" fill={colour} />}
	</svg>
);

const Ramp = ({ colours }: { colours: string[] }) => (
	<svg class="swatch" width="40" height="10" aria-hidden="true">{[1, 64, 128, 192, 255].map((r, i) => <rect x={i * 8} width="8.2" height="10" fill={colours[r]} />)}</svg>
);

interface Props {
	is_structure: boolean;
	by_place: boolean;
	/** Of the places that have colours, in their order. */
	places: string[];
	cores: number;
	/** The run is compared with another. */
	has_marks: boolean;
	colours: Theme;
}

export const Legend = ({ is_structure, by_place, places, cores, has_marks, colours: t }: Props) => {
	return (
		<ul class="legend" aria-label="legend">
			{by_place ? <>
				{places.slice(0, bright.length).map((p, i) => <li><Swatch colour={t.place[i] ?? ''} />{p}</li>)}
				{places.length > bright.length && <li><Swatch colour={t.place[8] ?? ''} />others</li>}
			</> : <>
				<li><Swatch colour={t.ramp[0] ?? ''} />no problem</li>
				<li><Ramp colours={t.ramp} />grain with one, mild to severe</li>
				<li><Ramp colours={t.share} />share of several, few to all</li>
			</>}
			<li><Swatch colour={t.critical} line />critical path</li>
			{has_marks && marks.map((what, i) => <li class="mark"><b>{mark_signs[i]}</b> {what}</li>)}
			{is_structure ? <>
				<li>length by time</li><li>circles: fork, join</li><li>x n: alike</li>
			</> : <>
				<li class="caveat">across: {cores} CPUs, down: time; white: idle. The best schedule without overhead: what happened is in the timeline</li>
			</>}
		</ul>
	);
};
