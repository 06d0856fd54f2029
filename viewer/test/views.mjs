// SPDX-License-Identifier: MIT
// views.mjs WINNOW FOLDER - the picture and the other pages by keyboard, in Chromium; numbers against those of
// the command line. FOLDER as for doors.mjs; pictures of what was seen stay there. TAP.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { launch, Visit } from './browser.mjs';
import { oneOf } from './choice.mjs';
import { attempt, done, result } from './tap.mjs';

const [winnow, folder] = process.argv.slice(2);
const file = (name) => join(folder, name);
const report = (name) => JSON.parse(readFileSync(file(`${name}.json`), 'utf8'));
const browser = await launch();

/** `winnow export --format csv` as objects: read once. */
const tables = new Map();
const grains = (name) => tables.get(name) ?? tables.set(name, readGrains(name)).get(name);
const readGrains = (name) => {
	const [head, ...rows] = execFileSync(winnow, ['export', '--format', 'csv', file(`${name}.winnow`)], { maxBuffer: 1 << 30 }).toString().trim().split('\n').filter((line) => !line.startsWith('#'))
		.map((line) => line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((x) => x.replace(/,$/, '').replace(/^"|"$/g, '')));
	return rows.map((row) => Object.fromEntries(head.map((key, i) => [key, row[i]])));
};

/** A key that changes the node that is chosen: what is said of it, another thing than before. */
const walk = async (v, key, most_ms) => {
	const before = await v.text('#spoken');
	await v.press(key);
	const is_new = (text) => text !== before && text !== '';
	const text = await v.until(() => v.text('#spoken'), is_new, most_ms);
	if (!is_new(text)) throw new Error(`nothing new is said after: ${before}`);
	return text;
};

const checkPicture = async (name, scheme) => {
	const door = `${name}, ${scheme}`;
	const v = await Visit.open(browser, `file://${file(`${name}.html`)}`, { scheme });
	await attempt(`${door}: the timeline and the graph are drawn; axe finds nothing serious`, async () => {
		await v.answers();
		await v.has('#timeline[data-state="exact"]');
		const n = await v.drawn();
		await v.page.screenshot({ path: file(`${name}-overview-${scheme}.png`) });
		return [...await v.axe(), (n === 0 || n > 10000) && `${n} shapes`];
	});
	await attempt(`${door}: g goes to it, arrows walk in it and say what is there`, async () => {
		await v.press('g');
		await v.has('#canvas:focus');
		const whole = await walk(v, 'ArrowDown');
		const first = await walk(v, 'ArrowDown');
		const node = await v.key('node');
		await walk(v, 'ArrowUp');
		return [!/grains?/.test(whole) && `of the whole it says ${whole}`, first === whole && 'the first member is like the whole', node === null && 'the address has no node'];
	});
	await attempt(`${door}: + and - zoom, 0 shows everything again`, async () => {
		await v.press('+', '+', '+');
		await v.has('#canvas[data-state="exact"]');
		const frame = await v.key('frame');
		await v.press('0');
		await v.hasHash('frame', null);
		return frame === null ? 'the address has no frame' : [];
	});
	await attempt(`${door}: c follows the critical path`, async () => {
		await v.press('g');
		const said = [];
		// at the end of the path nothing new is said
		for (let i = 0; i < 4; i++) said.push(await walk(v, 'c', i === 0 ? undefined : 2000).catch(() => said.at(-1)));
		return said.every((x) => /critical path yes|there is none|critical/.test(x)) ? [] : said;
	});
	await attempt(`${door}: m is the ideal schedule, and it is drawn`, async () => {
		await v.press('0', 'm');
		await v.hasHash('picture', 'map');
		const n = await v.drawn();
		await v.page.screenshot({ path: file(`${name}-schedule-${scheme}.png`) });
		const axe = await v.axe();
		return [...axe, n === 0 && 'nothing is drawn', n > 10000 && `${n} shapes`];
	});
	await attempt(`${door}: m is the graph again; Enter opens a group, Backspace closes it`, async () => {
		await v.press('m');
		await v.hasHash('picture', null);
		await v.press('g', 'ArrowDown');
		await v.page.waitForTimeout(100);
		await v.press('Enter');
		await v.page.waitForTimeout(100);
		await v.drawn();
		await v.press('Backspace');
		await v.drawn();
	});
	await attempt(`${door}: b colours by place, l lights all; the legend goes along`, async () => {
		await v.press('b');
		await v.hasHash('colour', 'place');
		await v.press('l');
		await v.hasHash('lit', 'all');
		await v.drawn();
		const axe = await v.axe();
		await v.press('b', 'l');
		return axe;
	});
	await attempt(`${door}: o is the outline, whose rows open by keys`, async () => {
		await v.press('o');
		await v.has('#outline tbody tr:focus');
		const n = (await v.textsUntil('#outline tbody tr', (x) => x.length > 1)).length;
		await v.press('ArrowDown', 'ArrowRight');
		// a row without members does not open
		const rows = await v.until(async () => (await v.texts('#outline tbody tr')).length, (x) => x > n, 2000);
		const axe = await v.axe();
		await v.press('ArrowLeft');
		return [...axe, n < 2 && `${n} rows`, rows < n && `${rows} rows after ${n}`];
	});
	result(`${door}: no error, no warning, no request`, v.take());
	await v.close();
};

/** Dependences are edges of their own: more is drawn with them, and less again without. */
const checkDependences = async () => {
	const v = await Visit.open(browser, `file://${file('sweeps.html')}#page=graph`);
	await attempt('sweeps: d draws dependences, d again does not', async () => {
		await v.has('#dependences[aria-pressed="false"]');
		await v.rests(); // it is whole first, then opened
		const without = await v.drawn();
		await v.press('d');
		await v.has('#dependences[aria-pressed="true"]');
		await v.hasHash('dependences', 'yes');
		const shapes = await v.until(() => v.drawn(), (x) => x !== without);
		await v.press('d');
		await v.hasHash('dependences', null);
		return [shapes <= without && `${shapes} shapes with dependences, ${without} without`, ...v.take()];
	});
	await v.close();
	await attempt('sweeps: of a selected task, what it depends on and what on it, as text and as lines', async () => {
		const lone = await Visit.open(browser, `file://${file('sweeps.html')}#picture=map&id=P0.s0.35`);
		try {
			await lone.has('#show-related[aria-pressed="false"]');
			await lone.rests(); // what the address selects is brought into view; of the map, all places stay
			const without = await lone.drawn();
			await lone.page.locator('#show-related').focus();
			await lone.press('Enter');
			await lone.has('#related li');
			const wanted = ['ended before it started 2 of 2 shown', 'started after it 2 of 2 shown'];
			const text = await lone.until(() => lone.text('#related'), (t) => wanted.every((x) => t.includes(x)));
			const is_told = wanted.map((t) => !text.includes(t) && `no "${t}" in ${text}`);
			const shapes = await lone.until(() => lone.drawn(), (x) => x > without);
			const before = await lone.key('id');
			await lone.page.locator('#related button').first().focus();
			await lone.press('Enter');
			await lone.until(async () => (await lone.address()).get('id'), (x) => x !== null && x !== before);
			await lone.has('#related h3', 'started after it');
			const back = await lone.until(() => lone.text('#related'), (t) => t.includes(before));
			return [...is_told, shapes <= without && `${shapes} shapes with what it depends on, ${without} without`,
				!back.includes(before ?? '?') && `${back} does not lead back to ${before}`, ...lone.take()];
		} finally { await lone.close(); }
	});
	const other = await Visit.open(browser, `file://${file('sort.html')}`);
	await attempt('sort: has no dependences to draw', async () => {
		await other.has('#lengths');
		return (await other.page.locator('#dependences').count()) ? ['there is a button for them'] : [];
	});
	await other.close();
};

const checkGrains = async (name) => {
	const v = await Visit.open(browser, `file://${file(`${name}.html`)}`);
	const all = grains(name);
	const isAsked = (g) => g.kind !== 'implicit' && Number(g.work_ns) < 2000;
	/** Filters by keyboard; says so if not `wanted` are found, soon. */
	const ask = async (where, wanted) => {
		await v.page.locator('#where').fill(where);
		await v.press('Enter');
		await v.hasHash('where', where);
		const n = await v.until(async () => Number((await v.texts('#told-grains'))[0]?.replace(/,/g, '').match(/^(\d+) of/)?.[1]), (x) => x === wanted);
		return n === wanted ? [] : [`${n} in the table, ${wanted} in the CSV`];
	};
	await attempt(`${name}: the table has as many grains as the CSV`, async () => {
		await v.answers();
		await v.press('5');
		await v.has('#told-grains', /\d/);
		return ask('kind != implicit', all.filter((g) => g.kind !== 'implicit').length);
	});
	await attempt(`${name}: a filter keeps those that it keeps in the CSV`, async () => {
		return [...await ask('kind != implicit and work_ns < 2us', all.filter(isAsked).length), ...await v.axe()];
	});
	await attempt(`${name}: a filter that is none says where it goes wrong`, async () => {
		await v.page.locator('#where').fill('work_ns < ');
		await v.press('Enter');
		await v.has('#fault');
		return /character \d+/.test(await v.text('#fault')) ? [] : await v.text('#fault');
	});
	await attempt(`${name}: the CSV that it saves has all that match`, async () => {
		await ask('kind != implicit and work_ns < 2us', all.filter(isAsked).length);
		const [download] = await Promise.all([v.page.waitForEvent('download'), v.page.getByRole('button', { name: 'CSV' }).press('Enter')]);
		const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
		const wanted = all.filter(isAsked).length;
		return lines.length - 1 === wanted ? [] : `${lines.length - 1} lines, ${wanted} match`;
	});
	result(`${name}: no error on the way`, v.take());
	await v.close();
};

/** `winnow tree` of a node; null if it knows none of that id. */
const tree = (name, id) => {
	try {
		return JSON.parse(execFileSync(winnow, ['tree', '--json', '--lines', '1', file(`${name}.winnow`), ...(id === undefined ? [] : [id])], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
	} catch {
		return null;
	}
};

/** What is told of the node that is selected, once it is another one than `before`. */
const selected = async (v, before = '', most_ms = undefined) => {
	const is_other = (facts) => facts.id && facts.id !== before;
	const facts = await v.until(async () => Object.fromEntries(await v.page.locator('#node-facts').evaluateAll((tables) =>
		tables.flatMap((t) => [...t.rows].map((r) => [r.cells[0].textContent, r.cells[1].textContent])))), is_other, most_ms);
	if (!is_other(facts)) throw new Error(`no other node than ${before} is selected`);
	return facts;
};

/** Ids in the page are those of the command line, lead there and back, and are the same for another run. */
const checkIds = async (name, other) => {
	const v = await Visit.open(browser, `file://${file(`${name}.html`)}`);
	await v.context.grantPermissions(['clipboard-read', 'clipboard-write']);
	let id = '';
	await attempt(`${name}: the node that is selected has the id by which winnow tree knows it`, async () => {
		await v.drawn();
		await v.press('g', 'ArrowDown');
		const wrong = [];
		let n = 0;
		for (const key of ['ArrowDown', 'ArrowDown', 'c', 'c', 'ArrowRight', null]) {
			// at the end of the critical path, and of a row, none is
			const facts = await selected(v, id, n < 3 ? undefined : 2000).catch(() => null);
			if (!facts) break;
			id = facts.id;
			n++;
			const there = tree(name, id)?.nodes[0];
			if (!there || Number((facts.members ?? '0').replace(/,/g, '')) !== (there.members ?? 0)) wrong.push(`${id}: ${facts.members} members, by winnow tree ${there?.members}`);
			if (key) await v.press(key);
		}
		if (n < 3) wrong.push(`only ${n} nodes`);
		return wrong;
	});
	await attempt(`${name}: y copies it, and the address has it`, async () => {
		id = (await selected(v)).id;
		await v.hasHash('id', id);
		await v.press('y');
		await v.has('#spoken', `copied ${id}`);
		const got = await v.page.evaluate('navigator.clipboard.readText()').catch(() => id);
		return got === id ? [] : `it copied ${got}`;
	});
	await attempt(`${name}: / finds a node by its id, and by what it begins with`, async () => {
		const sought = `${id.replace(/\/.*/, '')}`;
		await v.press('/');
		await v.has('#search');
		await v.page.locator('#search input').fill(sought);
		await v.has('#search li b', sought);
		// what contains it may be there before what begins with it
		const [first, ...others] = await v.textsUntil('#search li b', (all) => all[0] === sought);
		const all = [first, ...others].filter((t) => /^[PR]/.test(t));
		await v.press('Enter');
		await v.hasHash('id', sought);
		return [first !== sought && `first is ${first}`, !all.every((t) => t.startsWith(sought)) && all.join(' '), (await selected(v, id === sought ? '' : id)).id !== sought && 'another one is selected'];
	});
	await attempt(`${name}: the table of grains has their ids`, async () => {
		await v.press('5');
		await v.has('.grains td.lineage', /[PR]/);
		const rows = await v.until(() => v.page.locator('.grains tbody tr:has(td.lineage)').evaluateAll((trs) => trs.slice(0, 20).map((r) => [r.cells[0].textContent, r.querySelector('.lineage').textContent])),
			(all) => all.length >= 5 && all.every((r) => r[1] !== ''));
		const by_id = new Map(grains(name).map((g) => [g.id, g.lineage]));
		return [rows.length < 5 && 'there are few', ...rows.filter(([n, lineage]) => by_id.get(n) !== lineage).map((r) => r.join(' is '))];
	});
	await attempt(`${name}: the outline has them`, async () => {
		await v.press('1', 'o');
		await v.has('#outline tbody tr:focus');
		const first = await v.until(() => v.text('#outline tbody tr td'), (t) => t !== '');
		return tree(name, first) ? [] : await v.text('#outline tbody tr');
	});
	result(`${name}: no error on the way`, v.take());
	await v.close();
	const common = grains(other).map((g) => `${g.lineage}/L`).find((l) => l.includes('.') && (tree(name, l)?.nodes[0]?.members ?? 0) > 1 && tree(other, l)) ?? 'R/F0';
	const w = await Visit.open(browser, `file://${file(`${other}.html`)}#node=1&id=${encodeURIComponent(common)}`);
	await attempt(`${other}: a link with an id of ${name} leads to the node of that id`, async () => {
		const facts = await selected(w);
		const n = tree(other, common).nodes[0].members;
		await w.drawn();
		return [facts.id !== common && facts.id, Number(facts.members.replace(/,/g, '')) !== n && `${facts.members} members, by winnow tree ${n}`];
	});
	await w.close();
	const none = await Visit.open(browser, `file://${file(`${other}.html`)}#id=P77.s0.1`);
	await attempt(`${other}: of an id that it has not it says so`, async () => {
		await none.has('#trouble', 'P77.s0.1');
		return none.take();
	});
	await none.close();
};

const checkSource = async (name, word) => {
	const v = await Visit.open(browser, `file://${file(`${name}.html`)}`);
	const k = report(name).advice.findIndex((x) => x.line !== null);
	const f = report(name).advice[k];
	await attempt(`${name}: the source page has the line of the first finding that has one, with its text`, async () => {
		await v.answers();
		for (let i = 0; i < k; i++) await v.press('j');
		await v.press('4');
		await v.has(`#line-${f.line}`);
		const rows = await v.textsUntil(`tr:has(#line-${f.line})`, (all) => all.some((row) => row.includes(word)));
		await v.page.screenshot({ path: file(`${name}-source.png`) });
		return rows.some((row) => row.includes(word)) ? [] : rows;
	});
	result(`${name}: no error on the way`, v.take());
	await v.close();
};

const checkThreshold = async (name) => {
	const v = await Visit.open(browser, `file://${file(`${name}.html`)}`);
	const r = report(name);
	const k = r.problems.findIndex((p) => p.type === 'parallel_benefit');
	await attempt(`${name}: a threshold that moves judges all grains again`, async () => {
		await v.answers();
		await v.drawn();
		await v.page.locator('#problem').selectOption(String(k));
		await v.has('#threshold');
		const normal = await v.text('#threshold-count');
		await v.page.locator('#threshold').focus();
		await v.press('PageUp', 'PageUp', 'PageUp');
		const wanted = (value) => grains(name).filter((g) => g.parallel_benefit !== '' && Number(g.parallel_benefit) < Number(value) && g.kind !== 'implicit').length;
		const is_right = ([value, text]) => value !== null && text.replace(/,/g, '').startsWith(`${wanted(value)} `);
		const [value, text] = await v.until(async () => [(await v.address()).get(`over${k}`), await v.text('#threshold-count')], is_right);
		return is_right([value, text]) ? [] : `below ${value} there are ${wanted(value)} in the CSV; the page says ${text}, before ${normal}`;
	});
	result(`${name}: no error on the way`, v.take());
	await v.close();
};

/** A file without all grains: what it lacks is said where a threshold that has moved is counted. */
const checkLacking = async () => {
	const v = await Visit.open(browser, `file://${file('few.html')}`);
	const k = report('sort').problems.findIndex((p) => p.type === 'parallel_benefit');
	await attempt('a page without all grains: what could not be judged is said', async () => {
		await v.has('#left-out');
		await v.page.locator('#problem').selectOption(String(k));
		await v.page.locator('#threshold').press('PageUp');
		await v.has('#threshold-lacking', 'grains are not in this file');
		const number = async (selector) => Number((await v.text(selector)).split(' ')[0].replaceAll(',', ''));
		const value = Number(await v.key(`over${k}`));
		const all = grains('sort').filter((g) => g.parallel_benefit !== '' && Number(g.parallel_benefit) < value && g.kind !== 'implicit').length;
		const is_right = ([lacking, found]) => lacking > 0 && found <= all && found >= all - lacking;
		// both count up while grains are judged
		const [n_lacking, n] = await v.until(async () => [await number('#threshold-lacking'), await number('#threshold-count')], is_right);
		await v.page.locator('#canvas').focus();
		await v.press('ArrowDown');
		await v.has('#node-facts', 'not evaluated, not in this file');
		const facts = await v.until(() => v.text('#node-facts'), (t) => t.includes(n_lacking.toLocaleString('en')));
		const axe = await v.axe();
		await v.page.getByRole('button', { name: 'Back to 1.00' }).press('Enter');
		await v.gone('#threshold-lacking');
		return [...axe, !is_right([n_lacking, n]) && `${n} of ${all} while ${n_lacking} are lacking`,
			!facts.includes(n_lacking.toLocaleString('en')) && `no ${n_lacking} in ${facts}`];
	});
	result('a page without all grains: no error on the way', v.take());
	await v.close();
};

const checkPrint = async (name) => {
	const v = await Visit.open(browser, `file://${file(`${name}.html`)}`);
	await attempt(`${name}: it prints as one page`, async () => {
		await v.answers();
		await v.drawn();
		const pdf = (await v.page.pdf({ format: 'A4' })).toString('latin1');
		const n = (pdf.match(/\/Type\s*\/Page\b/g) ?? []).length;
		await v.page.setViewportSize({ width: 794, height: 1123 });
		await v.page.emulateMedia({ media: 'print' });
		const timeline = await v.page.locator('.timeline canvas').first().evaluate((c) => {
			const box = c.getBoundingClientRect(); // in which the picture keeps its shape
			return Math.min(box.width, (box.height * c.width) / c.height) / document.documentElement.clientWidth;
		});
		await v.page.emulateMedia({ media: null });
		return [n !== 1 && `${n} pages`, timeline < (name === 'compare' ? 0.45 : 0.6) && `the timeline has ${(100 * timeline).toFixed()} % of the width`];
	});
	await v.close();
};

/** The index of a container. */
const indexOf = async (name) => {
	const page = readFileSync(file(`${name}.html`), 'utf8');
	const pieces = [...page.matchAll(/<script type="application\/x-winnow"[^>]*>([^<]*)</g)].map((m) => Buffer.from(m[1], 'base64'));
	const all = Buffer.concat(pieces);
	const at = Number(all.readBigUInt64LE(24));
	return JSON.parse(inflateRawSync(all.subarray(at, at + all.readUInt32LE(32))).toString());
};

const checkEnlarged = async () => attempt('wide: enlarged twofold, the timeline has all of its eight threads in view', async () => {
	const v = await Visit.open(browser, `file://${file('wide.html')}`, { size: { width: 750, height: 475, scale: 2 } });
	await v.has('#timeline[data-state=exact]');
	const [inside, high] = await v.until(() => v.page.locator('.timeline').first().evaluate((e) => [e.clientHeight, e.scrollHeight]), ([a, b]) => b <= a, 5000);
	const problems = v.take();
	await v.close();
	return [...problems, high > inside && `${inside} of ${high} pixels`];
});

/** Two runs: what winnow diff says of them. */
const checkCompare = async () => {
	const d = report('compare');
	const v = await Visit.open(browser, `file://${file('compare.html')}`);
	await attempt('two runs: 7 compares them, as winnow diff does', async () => {
		await v.answers();
		await v.press('7');
		await v.hasHash('page', 'compare');
		await v.has('#compare-runs');
		const places = d.sites.slice(0, 3).map((s) => (s.b ?? s.a).place);
		const text = await v.until(() => v.text('#main'), (t) => places.every((place) => t.includes(place)));
		const axe = await v.axe();
		await v.page.screenshot({ path: file('compare.png') });
		return [...axe, ...places.filter((place) => !text.includes(place)).map((place) => `no word of ${place}`)];
	});
	await attempt('two runs: the finding that is gone is said to be', async () => {
		const text = await v.until(async () => (await v.text('#main')).toLowerCase(), (t) => t.includes('granularity too fine (tasks)'));
		return text.includes('granularity too fine (tasks)') ? [] : text;
	});
	const index = await indexOf('compare');
	const marked = index.marks;
	await attempt('two runs: a row of a group leads to it in the picture, which says how it was', async () => {
		const row = v.page.locator('#compare-changed a, #compare-slower a').first();
		const name = await row.innerText();
		const of = marked.filter((m) => m.id === name);
		await row.focus();
		await v.press('Enter');
		await v.has('#canvas');
		const facts = await selected(v), node = await v.key('node');
		return [of.length === 0 && `nothing is marked for ${name}`, !of.some((m) => String(m.node) === node) && `it led to ${node}`, !facts['reference run']?.includes(name) && `it says ${facts['reference run']}`];
	});
	await attempt('two runs: n goes from one marked group to the next, around', async () => {
		const nodes = [...new Set(marked.map((m) => m.node))].sort((a, b) => a - b);
		let at = Number(await v.key('node')), id = (await selected(v)).id;
		const wrong = [];
		for (let i = 0; i < 4; i++) {
			const next = nodes.find((n) => n > at) ?? nodes[0];
			await v.press('n');
			await v.hasHash('node', String(next));
			const facts = nodes.length > 1 ? await selected(v, id) : await selected(v);
			const of = marked.filter((m) => m.node === next);
			// a group that winnow tree knows by the same id is that node; of what vanished, the one that had it is
			for (const m of of)
				if (m.what === 'vanished' ? !m.id.startsWith(facts.id.replace(/\/L$/, '')) : tree('cutoff', m.id) && m.id !== facts.id) wrong.push(`${m.id} is marked at ${facts.id}`);
			if (!of.every((m) => facts['reference run']?.includes(m.what))) wrong.push(`${facts.id}: ${facts['reference run']}, not ${of.map((m) => m.what)}`);
			[at, id] = [next, facts.id];
		}
		return wrong;
	});
	await attempt('two runs: the legend has the signs, and another page has none', async () => {
		const signs = await v.textsUntil('.legend .mark', (all) => all.length === 5);
		const other = await Visit.open(browser, `file://${file('cutoff.html')}`);
		await other.has('.legend');
		const none = await other.page.locator('.legend .mark').count();
		await other.close();
		return [signs.length !== 5 && signs.join(', '), none !== 0 && `${none} signs without a comparison`];
	});
	await attempt('two runs: the picture has the signs, the outline the words', async () => {
		await v.press('m', '0');
		await v.drawn();
		// what is saved may still be the view before the last key
		const signs = await v.until(async () => {
			const [download] = await Promise.all([v.page.waitForEvent('download'), v.page.locator('#save-svg').press('Enter')]);
			const svg = readFileSync(await download.path(), 'utf8');
			return [...svg.matchAll(/class="n">([+\u2212\u2260\u25b2\u25bc])<\/text>/g)].map((m) => m[1]);
		}, (all) => all.length > 0);
		await v.page.screenshot({ path: file('compare-map.png') });
		await v.press('o');
		await v.has('#outline tbody tr:focus');
		const heads = await v.textsUntil('#outline thead th', (all) => all.at(-1) === 'reference run');
		return [signs.length === 0 && 'no sign is drawn', heads.at(-1) !== 'reference run' && heads.join(', ')];
	});
	result('two runs: no error, no warning, no request', v.take());
	await v.close();
};

try {
	for (const [name, scheme] of oneOf('pictures', [['sort', 'light'], ['imbalance', 'light'], ['sweeps', 'dark'], ['nqueens', 'dark']])) await checkPicture(name, scheme);
	await checkDependences();
	for (const name of oneOf('grains', ['sort', 'nqueens', 'imbalance'])) await checkGrains(name);
	await checkIds('sort', 'cutoff');
	for (const name of oneOf('ids', ['sweeps', 'imported'])) await checkIds(name, name);
	await checkCompare();
	await checkThreshold('sort');
	await checkLacking();
	await checkEnlarged();
	for (const name of oneOf('print', ['sort', 'imbalance', 'compare'])) await checkPrint(name);
	for (const [name, line] of oneOf('source', [['sort', 'omp task'], ['imbalance', 'schedule(static)']])) await checkSource(name, line);
} catch (error) {
	result('the views can be seen to their end', String(error?.stack ?? error));
} finally {
	await browser.close();
}
done();
