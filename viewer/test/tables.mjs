// SPDX-License-Identifier: MIT
// tables.mjs WINNOW FOLDER [NAME] - the pages behind the overview, by keyboard, against what the command line says of the
// same recordings. FOLDER as for doors.mjs. TAP.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { launch, Visit } from './browser.mjs';
import { oneOf } from './choice.mjs';
import { attempt, done, result } from './tap.mjs';

const [winnow, folder, only] = process.argv.slice(2);
const file = (name) => join(folder, name);
const run = (...args) => execFileSync(winnow, args, { cwd: folder, maxBuffer: 2 ** 28 }).toString();
const report = (name, ...args) => JSON.parse(run('report', '--json', ...args, `${name}.winnow`));
const countOf = (r, type) => r.problems.find((p) => p.type === type)?.count;
const number = (text) => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));

/** A table as text: rows of cells by their column. Cells with commas are in quotes. */
const table = (text) => {
	const [head, ...lines] = text.split('\n').filter((l) => l !== '' && !l.startsWith('#'))
		.map((l) => [...l.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map((m) => m[1]).slice(0, -1));
	return lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ''])));
};

const download = async (v, button) => {
	const comes = v.page.waitForEvent('download');
	await v.page.getByRole('button', { name: button, exact: true }).press('Enter');
	return readFileSync(await (await comes).path(), 'utf8');
};

// an axis of any window has a few ticks whose texts differ
await attempt('axes: 1 to 25 ticks in any window, and each text once', async () => {
	const built = await build({ entryPoints: [join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../app/units.ts')], bundle: true, format: 'esm', write: false });
	const { axis, ticks } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`);
	const wrong = [];
	for (let power = 1; power < 13; power++)
		for (let k = 1; k < 10; k += 0.25)
			for (const n of [0, 2, 3, 5, 12]) {
				const most = k * 10 ** power, texts = axis(0, most, n).ticks.map((t) => t.text);
				if (texts.length < 1 || texts.length > 25 || new Set(texts).size < texts.length) wrong.push(`0 to ${most}, ${n}: ${texts.length} ticks`);
				if (ticks(most, n).length > 25) wrong.push(`ticks of ${most}, ${n}: ${ticks(most, n).length}`);
			}
	for (const window of [[0, 0], [5, 1], [0, Infinity], [0, NaN]])
		if (axis(...window, 5).ticks.length > 0) wrong.push(`${window}: ticks`);
	return wrong;
});

const told = async (v) => { await v.has('#told-grains'); return v.text('#told-grains'); };

/** The number of grains that the table tells of, once it is the expected one: what the filter before found stays for a moment. */
const counted = (v, expected) => v.until(async () => number((await v.texts('#told-grains'))[0] ?? ''), (n) => n === expected);

/** Types a filter and waits for its answer. */
const filter = async (v, words) => {
	await v.page.locator('#where').fill(words);
	await v.press('Enter');
	await v.hasHash('where', words === '' ? null : words);
	await v.has('#told-grains, #fault');
};

const grains = async (v, name) => {
	let csv = [];
	await v.press('5');
	await told(v);
	await attempt(`${name}: the CSV has what winnow export writes`, async () => {
		csv = table(await download(v, 'CSV'));
		const by_id = new Map(table(run('export', '--format', 'csv', `${name}.winnow`)).map((r) => [r.id, r]));
		const against = [];
		for (const row of csv)
			for (const [column, value] of Object.entries(row))
				if (column !== 'place' && column !== 'is_problem' && by_id.get(row.id)?.[column] !== value) against.push(`${row.id} ${column}: ${value}, not ${by_id.get(row.id)?.[column]}`);
		const ids = new Set(csv.map((r) => r.id));
		const lost = [...by_id.values()].filter((r) => r.kind !== 'implicit' && !ids.has(r.id));
		return [...against, csv.length === 0 && 'no rows', lost.length > 0 && `${lost.length} grains are not in it`];
	});
	for (const [words, type, threshold, is_below] of [['work_ns < 5us', 'x', '5us', true], ['exec_ns / (creation_ns + 1) < 3', 'x', '3', true],
		['begin_ns > 1ms and kind != implicit', 'x', '0.5', false]]) {
		await attempt(`${name}: as many grains as the command line counts have ${words}`, async () => {
			await filter(v, `kind != implicit and (${words})`);
			const [value] = is_below ? words.split(' < ') : [words];
			const expected = countOf(report(name, '--metric', `${type} = ${value}`, '--bad', is_below ? 'low' : 'high', '--threshold', threshold), type);
			const found = await counted(v, expected);
			return found === expected ? [] : `${found}, not ${expected}`;
		});
	}
	await attempt(`${name}: what is wrong with a filter is said, and where`, async () => {
		await filter(v, 'work_ns < wrk_ns');
		await v.has('#fault', "unknown name 'wrk_ns'");
		const text = await v.text('#fault');
		return [...await v.axe(), !text.includes('character 11') && text];
	});
	await attempt(`${name}: a column sorts by key, and says so`, async () => {
		await filter(v, '');
		await told(v);
		await v.page.getByRole('button', { name: 'work', exact: true }).press('Enter');
		await v.hasHash('by', 'work_ns');
		await v.hasHash('desc', '1');
		await v.has('th[aria-sort="descending"]', 'work');
		const most = csv.reduce((a, b) => (Number(b.work_ns) > Number(a.work_ns) ? b : a));
		const is_most = (id) => csv.find((r) => r.id === id)?.work_ns === most.work_ns;
		// the header is sorted a moment before the rows are
		const first = await v.until(async () => { await v.has('table.grains:not([aria-busy])'); return v.text('table.grains tbody th'); }, is_most);
		return is_most(first) ? await v.axe() : `${first} comes first, not ${most.id}`;
	});
	await attempt(`${name}: arrows go down the rows, Enter leads into the picture`, async () => {
		await v.page.locator('[data-row="0"]').focus();
		await v.press('ArrowDown', 'ArrowDown');
		await v.has('[data-row="2"]:focus');
		await v.press('Enter');
		await v.hasHash('page', null);
		return await v.key('node') === null ? 'no node is chosen' : [];
	});
	await attempt(`${name}: no more rows are on the page than are seen`, async () => {
		await v.press('5');
		await told(v);
		const n = await v.page.locator('table.grains tbody tr').count();
		return n > 120 ? `${n} rows` : [];
	});
	return csv;
};

const source = async (v, name) => {
	const r = report(name);
	await v.press('4');
	await attempt(`${name}: a line tells what the report says of it`, async () => {
		const f = r.sites[0].file;
		const wanted = r.sites.filter((s) => s.file === f && s.line);
		const lacking = (rows) => wanted.filter((s) => !rows.some((t) => t.split(/\s+/).includes(s.grains.toLocaleString('en')) && t.includes(s.kind)));
		const rows = await v.textsUntil('.lines .measured', (all) => lacking(all).length === 0);
		const n_texts = await v.until(() => v.page.locator('.lines code').count(), (n) => n > 0);
		return [...await v.axe(), ...lacking(rows).map((s) => `no line with ${s.grains} of ${s.place}`), n_texts === 0 && 'no text of the source'];
	});
	await attempt(`${name}: arrows go from line to line, Enter chooses, the finding leads back`, async () => {
		const links = v.page.locator('.lines th a');
		await links.first().focus();
		if (await links.count() > 1) await v.press('ArrowDown');
		const line = await v.page.evaluate('document.activeElement.textContent').catch(() => v.text('.lines th a:focus'));
		await v.press('Enter');
		await v.hasHash('line', line);
		if (r.advice.every((f) => !f.line)) return [];
		const link = v.page.locator('.told-row a').first();
		if (await v.until(() => link.count(), (n) => n > 0) === 0) return 'no finding at any line';
		await link.press('Enter');
		await v.hasHash('page', null);
		await v.has('#detail-title');
	});
};

/** The timeline: its sums are the report's, keys zoom and select, and the selected range has its table and its grains. */
const timeline = async (v, name, csv) => {
	const r = report(name);
	const ns = (text) => { const [, n, unit] = /([\d.,]+) (ns|us|ms|s)/.exec(text) ?? []; return Number((n ?? 'NaN').replaceAll(',', '')) * { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }[unit]; };
	const sums = async () => {
		await v.has('#timeline-sums tbody tr');
		const heads = await v.texts('#timeline-sums thead th'), cells = await v.texts('#timeline-sums tfoot th, #timeline-sums tfoot td');
		return Object.fromEntries(heads.map((h, k) => [h.trim(), ns(cells[k] ?? '')]));
	};
	await v.press('2');
	await attempt(`${name}: the sums of all threads over the whole run are the categories of the report`, async () => {
		await v.has('#timeline[data-state="exact"]');
		const names = { work: 'work', serial: 'serial work', creation: 'task creation', dispatch: 'loop scheduling', scheduling: 'task scheduling', leaving: 'synchronisation', mutex: 'lock contention',
			idle_ready: 'idle, ready tasks', idle_empty: 'idle, no ready work', forking: 'fork/join', off_cpu: 'off the CPU', blocked: 'blocked', recording: 'recording' };
		// three digits are shown
		const wrong = (found) => Object.entries(names).map(([key, title]) => [title, r.time_categories.find((c) => c.name === key)?.ns ?? 0, found[title] ?? 0])
			.filter(([, wanted, n]) => Math.abs(n - wanted) > 0.006 * wanted + 1);
		const found = await v.until(sums, (x) => x.work > 0 && wrong(x).length === 0);
		return [...await v.axe(), ...wrong(found).map(([title, wanted, n]) => `${title}: ${n}, in the report ${wanted}`)];
	});
	const address = () => v.address();
	const pressed = async (key, of) => {
		const before = (await address()).get(of);
		await v.press(key);
		return v.until(async () => (await address()).get(of), (x) => x !== before);
	};
	await attempt(`${name}: W and A of the timeline zoom and move, 0 shows all again`, async () => {
		await v.press('t');
		await v.has('#timeline:focus');
		await pressed('w', 'to');
		const zoomed = await address(), width = (h) => Number(h.get('to')) - Number(h.get('from'));
		await pressed('a', 'from');
		const moved = await address();
		const all = await pressed('0', 'to');
		return [!(width(zoomed) > 0) && 'no closer', Number(moved.get('from')) >= Number(zoomed.get('from')) && 'no earlier', Math.abs(width(moved) - width(zoomed)) > 2 && 'another width', all !== null && `to ${all} after 0`];
	});
	let expected = 0;
	await attempt(`${name}: R selects the range in view, which has its sums and its grains`, async () => {
		for (let i = 0; i < 4; i++) await pressed('w', 'to');
		const range = await pressed('r', 'range'), [from, to] = (range ?? '').split(' ').map(Number);
		await v.has('#sums-title', 'Selected');
		// the heading comes first: the table's rows and its sums are read together, until they fit
		const n_threads = async () => v.page.locator('#timeline-sums tbody tr').count();
		const total = async () => Object.values(await sums()).filter(Number.isFinite).reduce((a, b) => a + b, 0);
		const [all, threads] = await v.until(async () => [await total(), await n_threads()], ([ns, n]) => n > 0 && Math.abs(ns - n * (to - from)) < 0.02 * n * (to - from));
		await v.page.getByRole('link', { name: 'Grains in range' }).press('Enter');
		await v.hasHash('page', 'grains');
		expected = csv.filter((g) => g.begin_ns !== '' && g.end_ns !== '' && Number(g.begin_ns) < to && Number(g.end_ns) > from).length;
		const found = await counted(v, expected);
		return [!(from < to) && `range ${range}`, !(threads > 0 && Math.abs(all - threads * (to - from)) < 0.02 * threads * (to - from)) && `${all} ns of ${threads} x ${to - from}`, found !== expected && `${found} grains, not ${expected}`];
	});
	await attempt(`${name}: from near, grains are found by key, told, and opened in the graph`, async () => {
		await v.press('2', 't');
		await v.has('#timeline:focus');
		await pressed('0', 'to');
		await v.page.waitForTimeout(500); // what was drawn of the narrower window
		for (let i = 0; i < 40 && !(await v.until(() => v.page.locator('#timeline').getAttribute('data-grains'), (x) => x !== null && x !== '', 1500)); i++) await pressed('w', 'to');
		await v.press('.');
		const first = await v.until(async () => (await address()).get('node'), (x) => x !== null);
		const node = await pressed('.', 'node');
		const back = await pressed(',', 'node');
		await v.has('#spoken', /thread \d/);
		await v.press('Enter');
		await v.hasHash('page', null);
		await v.has('#node-facts');
		return [first === null && 'no grain', node === first && 'the next one is the same', back !== first && `back is ${back}, not ${first}`];
	});
	await attempt(`${name}: what is under the pointer is told; Shift and drag select, the wheel zooms`, async () => {
		await v.press('2', 't');
		await v.press('0');
		await v.until(async () => (await address()).get('to'), (x) => x === null);
		const box = await v.page.locator('#timeline').boundingBox(), y = box.y + 40;
		await v.page.mouse.move(box.x + box.width / 2, y);
		await v.has('.tip', /thread\s*0/);
		const tip = await v.text('.tip');
		await v.page.keyboard.down('Shift');
		await v.page.mouse.move(box.x + 200, y);
		await v.page.mouse.down();
		await v.page.mouse.move(box.x + 300, y, { steps: 4 });
		await v.page.mouse.up();
		await v.page.keyboard.up('Shift');
		const range = await v.until(async () => (await address()).get('range'), (x) => x !== null);
		await v.page.mouse.move(box.x + 250, y);
		await v.page.mouse.wheel(0, -100);
		const to = await v.until(async () => (await address()).get('to'), (x) => x !== null);
		await v.page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
		await v.hasHash('range', null);
		return [!/%|kind/.test(tip) && tip, range === null && 'no range', to === null && 'no zoom', ...await v.axe()];
	});
};

const metrics = async (v, name) => {
	await v.press('6');
	await attempt(`${name}: a metric is counted while it is typed, as the command line counts it`, async () => {
		await v.page.locator('#metric-words').fill('work_ns / (exec_ns + creation_ns)');
		await v.page.locator('#metric-threshold').fill('50%');
		await v.page.locator('#metric-bad').selectOption('low');
		await v.page.locator('#metric-name').fill('useful');
		const expected = countOf(report(name, '--metric', 'useful = work_ns / (exec_ns + creation_ns)', '--bad', 'low', '--threshold', '50%'), 'useful');
		await v.has('#measured', new RegExp(`flagged\\s*${expected.toLocaleString('en')}`));
		return v.axe();
	});
	const same = ['--metric', 'useful = work_ns / (exec_ns + creation_ns)', '--bad', 'low', '--threshold', '50%', '--propagate', 'max'];
	const judged = async (n) => { await v.has('#threshold-count', new RegExp(`^${n.toLocaleString('en')} grains`)); };
	await attempt(`${name}: the picture beside it shows the metric, counted as the command line counts it`, async () => {
		await v.page.locator('#metric-propagate').selectOption('max');
		await v.page.locator('#metric-colour').selectOption('5');
		const r = report(name, ...same);
		await v.hasHash('problem', String(r.problems.findIndex((p) => p.type === 'useful')));
		await judged(countOf(r, 'useful'));
		await v.has('#problem', 'useful (yours)');
		return v.axe();
	});
	await attempt(`${name}: its threshold moves by key, and counts as the command line does`, async () => {
		await v.page.locator('#threshold').press('PageUp');
		const value = await v.until(() => v.text('#threshold-value'), (x) => x !== '50%');
		await judged(countOf(report(name, ...same.map((word, i) => (i === 5 ? value : word))), 'useful'));
		await v.has('#metrics-file', `threshold ${value}`);
		await v.page.locator('#metric-threshold').fill('50%');
		await judged(countOf(report(name, ...same), 'useful'));
		return value === '50%' ? 'it did not move' : [];
	});
	await attempt(`${name}: groups have the value that winnow tree gives them`, async () => {
		const { nodes } = JSON.parse(run('tree', '--json', '--depth', '2', '--lines', '200', ...same, `${name}.winnow`));
		const wanted = new Map(nodes.map((n) => [n.id, n.metrics.useful]));
		await v.page.locator('#canvas').focus(); // or it would be typed
		await v.press('1');
		await judged(countOf(report(name, ...same), 'useful'));
		await v.press('o');
		await v.has('#outline tbody tr:nth-child(2)');
		await v.has('#outline thead', 'useful');
		const heads = await v.page.locator('#outline thead th').allInnerTexts();
		const id = heads.indexOf('id'), metric = heads.indexOf('useful');
		/** Of all rows at once: they are written anew when groups have been evaluated. */
		const compare = async () => {
			const bad = [];
			let n = 0;
			for (const cells of await v.page.locator('#outline tbody').evaluate((body) => [...body.rows].map((row) => [...row.cells].map((c) => c.textContent)))) {
				const value = wanted.get(cells[id]);
				if (typeof value !== 'number') continue;
				n++;
				if (!(Math.abs(Number(cells[metric]) - value) <= 1e-5 * Math.abs(value))) bad.push(`${cells[id]} has ${cells[metric]}, not ${value}`);
			}
			return { bad, n };
		};
		const n_least = Math.min(2, [...wanted.values()].filter((x) => typeof x === 'number').length);
		const { bad, n } = await v.until(compare, (x) => x.bad.length === 0 && x.n >= n_least);
		const facts = await v.text('#outline');
		await v.press('o', '6');
		return [...bad, n < n_least && `only ${n} groups are in both: ${facts.slice(0, 300)}`];
	});
	await attempt(`${name}: what is wrong with it is said while it is typed`, async () => {
		await v.page.locator('#metric-words').fill('work_ns / (exec_ns');
		await v.has('#metric-fault');
		const axe = await v.axe();
		await v.page.locator('#metric-words').fill('work_ns / (exec_ns + creation_ns)');
		await v.gone('#metric-fault');
		return axe;
	});
	await attempt(`${name}: a threshold moves by key, and counts as the command line does`, async () => {
		const slider = v.page.getByLabel('threshold of granularity too fine');
		for (let i = 0; i < 3; i++) await slider.press('PageUp');
		const value = (await v.address()).get('over0'); // the page changes it with the key
		const expected = countOf(report(name, '--threshold', `parallel_benefit < ${value}`), 'parallel_benefit');
		await v.has('#thresholds tbody tr', new RegExp(`granularity too fine[^]*<[^]*${(expected ?? 0).toLocaleString('en')}`));
		return value === null ? 'it did not move' : [];
	});
	await attempt(`${name}: the file that is saved is read by the command line, and by the page`, async () => {
		const text = await download(v, 'Save');
		writeFileSync(file('my.metrics'), text);
		const r = report(name, '--metrics', 'my.metrics');
		const told = await v.text('#measured');
		const value = (await v.address()).get('over0');
		await v.page.goto(`file://${file(`${name}.html`)}#page=metrics`);
		await v.page.reload();
		await v.has('#metric-words');
		await v.page.locator('input[type=file]').setInputFiles(file('my.metrics'));
		await v.hasHash('metrics', text);
		await v.has('#measured', /flagged/);
		await v.has('#metrics-file', 'useful');
		await judged(countOf(r, 'useful'));
		return [!text.includes('# colour purple') && `no colour in ${text}`, !told.includes((countOf(r, 'useful') ?? NaN).toLocaleString('en')) && `${told} is without ${countOf(r, 'useful')}`,
			!text.includes(`threshold parallel_benefit < ${value}`) && text];
	});
};

const browser = await launch();
// one recording in light and one in dark, with tasks and with loops; axe looks at one of them
const looked_at = [...oneOf('in light', ['sort', 'nqueens']).map((name) => [name, 'light']), ...oneOf('in dark', ['sweeps', 'imbalance']).map((name) => [name, 'dark'])];
const with_axe = oneOf('axe', looked_at);
try {
	for (const look of looked_at) {
		const [name, scheme] = look;
		if (only !== undefined && only !== name) continue;
		const v = await Visit.open(browser, `file://${file(`${name}.html`)}`, { scheme, axe: with_axe.includes(look) });
		await v.answers();
		const csv = await grains(v, name);
		await source(v, name);
		await timeline(v, name, csv);
		await metrics(v, name);
		result(`${name}: nothing went wrong meanwhile`, v.take());
		await v.close();
	}
} catch (error) {
	result('the pages can be seen to their end', String(error?.stack ?? error));
} finally {
	await browser.close();
}
done();
