// SPDX-License-Identifier: MIT
// bars.mjs WINNOW FOLDER NAME... - what the page costs, as a table: for each NAME the folder has NAME.winnow, NAME.html (all
// grains), NAME.usual.html (as the command writes it), NAME.grains, and NAME.cost, which bench/grains.c prints. Times of frames
// and of the browser's processes, and those from inside the page; nothing is asserted but in the last column. bench/page.sh
// makes the files.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { launch, Visit } from './browser.mjs';

const [winnow, folder, ...names] = process.argv.slice(2);
const file = (name) => join(folder, name);
const here = fileURLToPath(new URL('.', import.meta.url));
const rows = [];
const add = (bar, what, name, value, unit, most) => {
	const text = value === null || Number.isNaN(value) ? '-' : value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
	rows.push([bar, what, name, `${text} ${unit}`, most === null ? '' : `<= ${most}`, text === '-' ? 'not measured' : most === null ? '' : value <= most ? 'holds' : 'DOES NOT HOLD']);
};
const at = (list, part) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? NaN;

/** All processes of this browser: those that this one has started, and theirs. */
const processes = () => {
	const parent = new Map();
	for (const pid of readdirSync('/proc').filter((x) => /^\d+$/.test(x)))
		try {
			const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
			const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			parent.set(Number(pid), { parent: Number(rest[1]), ticks: Number(rest[11]) + Number(rest[12]) });
		} catch { /* it has gone */ }
	const isOurs = (pid) => { for (let p = pid; p > 1; p = parent.get(p)?.parent ?? 0) if (p === process.pid) return p !== pid; return false; };
	return [...parent].filter(([pid]) => isOurs(pid)).map(([pid, p]) => ({ pid, ticks: p.ticks, line: (() => { try { return readFileSync(`/proc/${pid}/cmdline`, 'latin1'); } catch { return ''; } })() }));
};
const tick_ms = 1000 / Number(execFileSync('getconf', ['CLK_TCK']).toString());
const cpuMs = () => processes().reduce((sum, p) => sum + p.ticks, 0) * tick_ms;
/** Of the largest renderer, proportionally to who shares it. */
const memoriesMB = (pattern) => processes().filter((p) => pattern.test(p.line)).map((p) => {
	try { return Number(readFileSync(`/proc/${p.pid}/smaps_rollup`, 'latin1').match(/^Pss:\s+(\d+)/m)?.[1] ?? 0) / 1024; } catch { return 0; }
});
const rendererMB = () => Math.max(...memoriesMB(/--type=renderer/));
/** Of the process that keeps what the page has given away: the only one of no type. */
const browserMB = () => Math.max(...memoriesMB(/chrom(?!.*--type=)/s));

/** Runs in the page, before its own scripts: when what is seen was painted, and every frame after. */
const watch = () => {
	const seen = { verdict: NaN, first: NaN, timeline: NaN, picture: NaN, paints: [], exact: NaN, draws: [], shapes: [], frames: [], recounted: NaN };
	window.seen = seen;
	const painted = (key) => requestAnimationFrame(() => requestAnimationFrame(() => { seen[key] = performance.now(); }));
	new MutationObserver((changes) => {
		if (Number.isNaN(seen.verdict) && document.getElementById('verdict')) { seen.verdict = 0; painted('verdict'); }
		if (Number.isNaN(seen.first) && document.querySelector('.timeline img')) { seen.first = 0; painted('first'); }
		for (const c of changes) {
			if (c.type === 'characterData' && c.target.parentElement?.id === 'threshold-count') seen.recounted = performance.now();
			if (c.attributeName !== 'data-state' && c.attributeName !== 'data-ms') continue;
			if (c.target.id === 'timeline') {
				if (Number.isNaN(seen.timeline)) { seen.timeline = 0; painted('timeline'); }
				if (c.attributeName === 'data-ms') seen.paints.push(Number(c.target.dataset.ms));
				continue;
			}
			if (Number.isNaN(seen.picture)) { seen.picture = 0; painted('picture'); }
			if (c.attributeName === 'data-ms') { seen.draws.push(Number(c.target.dataset.ms)); seen.shapes.push([Number(c.target.dataset.shapes), c.target.dataset.state]); }
			if (c.target.dataset.state === 'exact' && c.attributeName === 'data-state') seen.exact = performance.now();
		}
	}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-state', 'data-ms'], characterData: true });
	let before = 0;
	const frame = (now) => { if (before) seen.frames.push(now - before); before = now; requestAnimationFrame(frame); };
	requestAnimationFrame(frame);
};

const visit = async (name) => {
	const browser = await launch();
	const v = await Visit.open(browser, 'about:blank', { size: { width: 1440, height: 900 } });
	await v.page.addInitScript(watch);
	v.page.setDefaultTimeout(120000);
	// the browser has started when it has painted something else: its own beginning is not the page's
	await v.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
	await v.page.waitForTimeout(300);
	await v.page.goto(`file://${file(`${name}.html`)}`, { waitUntil: 'load', timeout: 120000 });
	return { browser, v, close: () => browser.close() };
};
const seen = (v, key) => v.page.evaluate((k) => window.seen[k], key);

const opening = async (name, n) => {
	const runs = [];
	for (let i = 0; i < 3; i++) {
		const { v, close } = await visit(name);
		await v.rests();
		await v.page.waitForTimeout(500);
		runs.push({ verdict: await seen(v, 'verdict'), picture: await seen(v, 'picture'), first: await seen(v, 'first'), timeline: await seen(v, 'timeline'), mb: rendererMB(), kept: browserMB(), problems: v.take(),
			load: await v.page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd) });
		await close();
	}
	const middle = (key) => at(runs.map((r) => r[key]), 0.5);
	add('B1', 'overview painted after opening', name, middle('verdict') / 1000, 's', 0.5);
	add('', 'timeline painted after opening', name, middle('first') / 1000, 's', 0.5);
	add('', 'timeline drawn by the core', name, middle('timeline') / 1000, 's', null);
	add('', 'graph painted after opening', name, middle('picture') / 1000, 's', null);
	add('B2', `all chunks there, all columns of all grains (${(statSync(file(`${name}.html`)).size / 2 ** 20).toFixed(0)} MB)`, name, middle('load') / 1000, 's', n > 5e7 ? null : 2.5);
	add('B4', 'memory of the renderer, opened', name, middle('mb'), 'MB', n > 5e7 ? 800 : 250);
	add('', 'of the browser\'s own process, which keeps the compressed run', name, middle('kept'), 'MB', null);
	add('B9', 'requests, errors', name, runs.flatMap((r) => r.problems).length, '', 0);
};

/** The page that the command writes if nobody says how large it may be. */
const usual = async (name, n) => {
	const loads = [];
	for (let i = 0; i < 3; i++) {
		const { v, close } = await visit(`${name}.usual`);
		await v.rests();
		loads.push(await v.page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd));
		await close();
	}
	const mb = statSync(file(`${name}.usual.html`)).size / 2 ** 20;
	add('B2', `all chunks there, the usual page (${mb.toFixed(0)} MB)`, name, at(loads, 0.5) / 1000, 's', n > 5e7 ? null : 2.5);
};

const moving = async (name) => {
	const { v, close } = await visit(name);
	await v.rests();
	const box = await v.page.locator('#canvas').boundingBox();
	await v.page.mouse.move(box.x + box.width / 2, box.y + box.height / 3);
	for (let i = 0; i < 6; i++) { await v.page.mouse.wheel(0, -60); await v.page.waitForTimeout(16); }
	await v.page.evaluate(() => { window.seen.draws.length = 0; window.seen.shapes.length = 0; window.seen.frames.length = 0; });
	const cpu = cpuMs();
	await v.page.mouse.down();
	const end = Date.now() + 4000;
	for (let i = 0; Date.now() < end; i++) {
		if (i % 40 < 30) await v.page.mouse.move(box.x + box.width / 2 + 120 * Math.sin(i / 9), box.y + box.height / 2 + 90 * Math.cos(i / 7));
		else await v.page.mouse.wheel(0, i % 80 < 40 ? -40 : 40);
	}
	await v.page.mouse.up();
	const used = cpuMs() - cpu;
	const { draws, shapes, frames } = await v.page.evaluate(() => window.seen);
	await v.rests();
	await v.page.waitForTimeout(300);
	const rest = Number(await v.page.locator('#canvas').getAttribute('data-shapes'));
	add('B5', 'JavaScript of a drawing, p95', name, at(draws, 0.95), 'ms', 4);
	add('', 'between frames, median', name, at(frames, 0.5), 'ms', null);
	add('', 'between frames, p95', name, at(frames, 0.95), 'ms', null);
	add('', 'CPU of all processes for a frame', name, used / Math.max(1, frames.length), 'ms', null);
	add('', 'shapes while moving, most', name, Math.max(0, ...shapes.filter(([, state]) => state === 'moving').map(([n]) => n)), '', 4000);
	add('', 'shapes at rest', name, rest, '', 10000);
	await close();
};

/** The timeline, zoomed through from the whole run to single grains and back, and moved. */
const zooming = async (name) => {
	const { v, close } = await visit(name);
	await v.rests();
	await v.page.evaluate(() => { window.seen.paints.length = 0; window.seen.frames.length = 0; });
	const cpu = cpuMs();
	// the wheel turns once a frame, which takes the driver's messages too long
	await v.page.evaluate(() => new Promise((done) => {
		const canvas = document.getElementById('timeline'), { left, top, width } = canvas.getBoundingClientRect(), end = performance.now() + 5000;
		let i = 0;
		const turn = () => {
			canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: i % 30 < 8 ? 40 : 0, deltaY: i % 30 < 8 ? 0 : i % 240 < 120 ? -60 : 60, clientX: left + width / 2, clientY: top + 60, bubbles: true, cancelable: true }));
			i++;
			if (performance.now() < end) requestAnimationFrame(turn); else done();
		};
		turn();
	}));
	const used = cpuMs() - cpu;
	const { paints, frames } = await v.page.evaluate(() => window.seen);
	add('B5', 'timeline: JavaScript of a drawing, p95', name, at(paints, 0.95), 'ms', 4);
	add('', 'timeline: between frames, median', name, at(frames, 0.5), 'ms', 17);
	add('', 'timeline: between frames, p95', name, at(frames, 0.95), 'ms', null);
	add('', 'timeline: drawings of a second', name, paints.length / 5, '', null);
	add('', 'timeline: CPU of all processes for a frame', name, used / Math.max(1, frames.length), 'ms', null);
	await close();
};

const judging = async (name, n) => {
	const { v, close } = await visit(name);
	await v.rests();
	await v.page.locator('#problem').selectOption({ index: 1 });
	await v.has('#threshold');
	await v.page.locator('#threshold').focus();
	/** A key, until the number of grains is another; and the CPU time of all processes. */
	const judged = async (key) => {
		await v.page.evaluate(() => { window.seen.recounted = NaN; });
		const before = cpuMs(), from = await v.page.evaluate(() => performance.now());
		await v.press(key);
		for (let k = 0; k < 1500 && Number.isNaN(await seen(v, 'recounted')); k++) await v.page.waitForTimeout(20);
		const wall = await seen(v, 'recounted') - from;
		await v.page.waitForTimeout(100);
		return { wall, cpu: cpuMs() - before };
	};
	const first = await judged('PageUp'), again = [];
	for (let i = 0; i < 12; i++) again.push(await judged(i % 2 ? 'PageUp' : 'PageDown'));
	add('', 'a threshold judged, the first one', name, first.wall, 'ms', null);
	add('', 'CPU of all processes for that', name, first.cpu, 'ms', null);
	add('B6', 'a threshold judged again, median', name, at(again.map((x) => x.wall), 0.5), 'ms', n > 5e7 ? null : n > 5e6 ? 300 : 30);
	add('', 'CPU of all processes for one', name, at(again.map((x) => x.cpu), 0.5), 'ms', null);
	await v.press('5');
	await v.has('#where');
	await v.page.locator('#where').fill('work_ns < 1us');
	const from = Date.now();
	await v.press('Enter');
	await v.has('#told-grains', / of /);
	add('', 'a filter of all grains', name, Date.now() - from, 'ms', null);
	add('B4', 'memory of the renderer, after that', name, rendererMB(), 'MB', n > 5e7 ? 800 : 250);
	add('B11', 'serious findings of axe', name, (await v.axe()).length, '', 0);
	await close();
};

const source_of = (path) => readFileSync(join(here, '../..', path), 'utf8');

/** The page's own code reads chunks out of the file in Chromium, where it is a Blob: what the page takes when it opens one, and all of it. */
const chunks = async (name) => {
	const columns = [...source_of('src/grains/columns.def').matchAll(/^WN_GRAINS_COLUMN\((\d+), (\w+), "(\w+)"/gm)];
	const number = Object.fromEntries(columns.map((m) => [m[2], Number(m[1])]));
	const store = source_of('src/page/store.c');
	const taken = [...store.slice(store.indexOf('summary_columns[]'), store.indexOf('is_among(')).matchAll(/WN_COLUMN_(\w+)/g)].map((m) => number[m[1]]);
	if (taken.length < 20 || taken.includes(undefined)) throw new Error('the columns that pictures take are not where they were');
	const code = (await build({ stdin: { contents: `export { open } from './container.ts'; export { directory, inflatedOf, part_kind } from './directory.ts';`, resolveDir: join(here, '../app'), loader: 'ts' },
		bundle: true, write: false, format: 'iife', globalName: 'reading', target: 'es2022', plugins: [{ name: 'columns', setup(b) {
			b.onResolve({ filter: /^columns:names$/ }, () => ({ path: 'names', namespace: 'columns' }));
			b.onLoad({ filter: /.*/, namespace: 'columns' }, () => ({ contents: JSON.stringify(Object.fromEntries(columns.map((m) => [m[1], m[3]]))), loader: 'json' }));
		} }] })).outputFiles[0].text;
	const browser = await launch();
	const page = await browser.newPage();
	await page.setContent('<input type="file">');
	await page.addScriptTag({ content: code });
	await page.locator('input').setInputFiles(file(`${name}.grains`));
	/** Walls of some chunks; which columns: null for all. */
	const opened = (of) => page.evaluate(async (wanted) => {
		const blob = document.querySelector('input').files[0];
		const container = await reading.open({ name: blob.name, size: blob.size, read: async (at, n) => new Uint8Array(await blob.slice(at, at + n).arrayBuffer()) });
		const parts = (await reading.directory(container)).filter((p) => p.kind === reading.part_kind.chunk);
		const walls = [];
		for (const part of [...parts, ...parts, ...parts].slice(0, 40)) {
			const from = performance.now();
			await reading.inflatedOf(container, part, part.blocks.filter((b) => !wanted || wanted.includes(b.column)));
			walls.push(performance.now() - from);
		}
		return { times: walls, grains: container.index.report.graph.grains };
	}, of);
	const before = cpuMs();
	const { times, grains } = await opened(taken);
	add('B7', 'a chunk opened: read and inflated, median', name, at(times.slice(2), 0.5), 'ms', 30);
	add('', 'CPU of all processes for one', name, (cpuMs() - before) / times.length, 'ms', null);
	add('', 'the same with all its columns, which only the table reads, one by one', name, at((await opened(null)).times.slice(2), 0.5), 'ms', null);
	await browser.close();
	return grains;
};

for (const name of names) {
	const n = Number(await chunks(name));
	const cost = readFileSync(file(`${name}.cost`), 'utf8');
	const costs = (pattern) => Number(cost.match(pattern)?.[1] ?? NaN);
	await opening(name, n);
	await usual(name, n);
	const pictures = costs(/pictures: ([\d.]+)/);
	add('B3', 'run.grains: begin, work, thread, source, creation, and the tree', name, pictures, 'B/grain', 6);
	add('', 'each further column, at most', name, costs(/most ([\d.]+)/), 'B/grain', 3);
	add('', 'the first of these in HTML', name, pictures * 4 / 3, 'B/grain', 8);
	add('', 'all columns that a budget does not leave out first', name, costs(/base ([\d.]+)/), 'B/grain', null);
	add('', 'run.grains, all that is in it', name, statSync(file(`${name}.grains`)).size / n, 'B/grain', null);
	add('', 'the page with all that', name, statSync(file(`${name}.html`)).size / n, 'B/grain', null);
	await zooming(name);
	await moving(name);
	await judging(name, n);
	add('B12', 'CPU of encoding what pictures need, for 10^7 grains', name, costs(/pictures: .*: ([\d.]+)$/m), 's', 1);
	add('', 'gathering and encoding all columns', name, costs(/for 10\^7: .*, ([\d.]+)$/m), 's', 1);
}
add('B8', 'the page without a run, gzipped', '', gzipSync(readFileSync(new URL('../page.html', import.meta.url)), { level: 9 }).length / 1024, 'KB', 100);
rows.push(['B10', 'wasm and native, byte by byte', '', 'suite page', '', '']);

const order = (bar) => Number(bar.slice(1));
const grouped = [];
for (const row of rows) { if (row[0]) grouped.push([row]); else grouped.at(-1).push(row); }
const table = [['bar', 'what', 'run', 'measured', 'bar', ''], ...grouped.sort((a, b) => order(a[0][0]) - order(b[0][0])).flat()];
const widths = table[0].map((_, k) => Math.max(...table.map((row) => row[k].length)));
for (const row of table) console.log(row.map((x, k) => k === 3 ? x.padStart(widths[k]) : x.padEnd(widths[k])).join('  ').trimEnd());
