// SPDX-License-Identifier: MIT
// A table that any column sorts by a click: at first as its rows come, which is by cost.
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';

export interface Column<Row> {
	title: string;
	/** What the column is about, where its title does not say all. */
	what?: string;
	text: (row: Row) => ComponentChild;
	/** What it is sorted by; a number makes it a column of numbers. */
	value: (row: Row) => number | string | null;
	/** It names the row. */
	is_head?: boolean;
}

interface Props<Row> {
	id?: string;
	label: string;
	columns: Column<Row>[];
	rows: Row[];
	/** The sum of all. */
	foot?: Row;
	/** Rows beyond these are counted only. */
	most?: number;
}

export const Sortable = <Row,>({ id, label, columns, rows, foot, most = Infinity }: Props<Row>) => {
	const [by, setBy] = useState<{ k: number; is_down: boolean } | null>(null);
	const first = rows[0];
	const isNumber = (c: Column<Row>): boolean => first !== undefined && typeof c.value(first) !== 'string';
	const sorting = by === null ? undefined : columns[by.k];
	const order = sorting && by ? [...rows].sort((a, b) => {
		const x = sorting.value(a), y = sorting.value(b);
		const less = x === null || y === null ? Number(y !== null) - Number(x !== null) : x < y ? -1 : Number(x > y);
		return by.is_down ? -less : less;
	}) : rows;
	const click = (k: number): void => setBy({ k, is_down: by?.k === k ? !by.is_down : isNumber(columns[k]!) });
	const cells = (row: Row) => columns.map((c) => c.is_head ? <th scope="row" class={isNumber(c) ? 'n' : ''}>{c.text(row)}</th> : <td class={isNumber(c) ? 'n' : ''}>{c.text(row)}</td>);
	return (
		<div class="scroll" tabIndex={0} role="region" aria-label={label}>
			<table class="list" id={id}>
				<thead><tr>{columns.map((c, k) => (
					<th scope="col" class={isNumber(c) ? 'n' : ''} aria-sort={by?.k === k ? by.is_down ? 'descending' : 'ascending' : undefined}>
						<button type="button" class="sort" title={`${c.what ?? c.title}; a click sorts`} onClick={() => click(k)}>{c.title}{by?.k === k && (by.is_down ? ' \u25be' : ' \u25b4')}</button>
					</th>
				))}</tr></thead>
				<tbody>{order.slice(0, most).map((row) => <tr>{cells(row)}</tr>)}</tbody>
				{foot !== undefined && rows.length > 1 && <tfoot><tr>{cells(foot)}</tr></tfoot>}
			</table>
			{rows.length > most && <p class="faint small">and {rows.length - most} more</p>}
		</div>
	);
};
