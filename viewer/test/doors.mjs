// SPDX-License-Identifier: MIT
// doors.mjs WINNOW FOLDER - the page in Chromium, through every door, by keyboard. FOLDER has what
// tests/page/browser.sh makes: NAME.winnow, NAME.html, NAME.grains, NAME.json (the report). TAP.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launch, Visit } from './browser.mjs';
import { oneOf } from './choice.mjs';
import { attempt, done, equal, result } from './tap.mjs';

const [winnow, folder] = process.argv.slice(2);
const report = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const file = (name) => join(folder, name);
const browser = await launch();

/** `winnow view --serve` with these options; what it printed first, and a way to end it. */
const serve = async (name, ...options) => {
	const env = { ...process.env, XDG_RUNTIME_DIR: runtime };
	for (const key of ['DISPLAY', 'WAYLAND_DISPLAY', 'SSH_CONNECTION', 'SSH_TTY']) delete env[key];
	const child = spawn(winnow, ['view', '--serve', ...options, file(name)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
	const line = await new Promise((resolve, reject) => {
		let text = '';
		child.stdout.on('data', (data) => { text += data; if (text.includes('\n')) resolve(text.split('\n')[0]); });
		child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
	});
	return { line, end: () => new Promise((resolve) => { child.removeAllListeners('exit'); child.on('exit', (code) => resolve(code)); child.kill('SIGINT'); }) };
};

/** What `ssh -L` does: a port of here that leads to a socket. */
const forward = (path) => new Promise((resolve) => {
	const server = createServer((client) => {
		const there = connect(path);
		client.pipe(there).pipe(client);
		client.on('error', () => there.destroy());
		there.on('error', () => client.destroy());
	});
	server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, end: () => server.close() }));
});

const titleOf = (f) => f.message.slice(0, f.message.indexOf(':'));

/** The report's own words, in its order, are what is on the page. */
const checkWords = async (v, name, door) => {
	const r = report(name);
	await v.answers();
	result(`${door}: the first sentences are the report's`, (await (async () => {
		const text = (await v.text('#verdict')).replace(/\s+/g, ' ');
		return r.headline.map((line) => line.replace(/\s+/g, ' ')).filter((line) => !text.includes(line.startsWith(r.program.command.join(' ')) ? line.slice(r.program.command.join(' ').length + 2) : line));
	})()));
	const list = r.advice.length > 0 ? r.advice : r.near;
	equal(`${door}: the findings are the report's, in its order`,
		(await v.texts('#findings li')).map((t) => list.find((f) => t.toLowerCase().startsWith(titleOf(f).toLowerCase()) && t.includes(f.place ?? ''))?.message ?? t),
		list.map((f) => f.message));
	for (const f of list.slice(0, 1)) {
		result(`${door}: what to try, and what could make it wrong, is said`, [[await v.text('#detail-try'), f.try], [await v.text('#detail-doubt'), f.doubt]]
			.filter(([text, wanted]) => !text.replace(/\s+/g, ' ').includes(wanted.replace(/\s+/g, ' '))).map(([text, wanted]) => `${text} is without: ${wanted}`));
	}
};

const pages = ['overview', 'timeline', 'graph', 'source', 'grains', 'metrics'];

/** All pages by their numbers, each without a serious finding of axe. */
const checkPages = async (v, door, scheme) => {
	for (const [i, name] of pages.entries()) {
		await attempt(`${door}: ${i + 1} is the page ${name}${v.has_axe ? `; axe finds nothing serious (${scheme})` : ''}`, async () => {
			await v.press(String(i + 1));
			await v.hasHash('page', i === 0 ? null : name);
			await v.has(`nav a[aria-current="page"]`, new RegExp(`^${name}$`, 'i'));
			return v.axe();
		});
	}
	await v.press('1');
};

/** Where there are predictions: the pictures are drawn, and a slider reads the values of winnow predict. */
const checkPredicted = async (v, name, door) => {
	if (!(await v.texts('nav a')).includes('Predicted')) return;
	await attempt(`${door}: the page of predicted times has the times of winnow predict`, async () => {
		await v.press('8');
		await v.hasHash('page', 'predicted');
		await v.has('#predicted output');
		const slider = v.page.locator('#threads-value'), before = await v.text('#predicted output'), is_first = await slider.evaluate((e) => e.value === e.min);
		await slider.focus();
		await v.press('Home');
		const text = await v.until(() => v.text('#predicted output'), (t) => is_first || t !== before);
		const n = /^\d+/.exec(text)?.[0] ?? '';
		const line = execFileSync(winnow, ['predict', file(`${name}.winnow`), '--threads', n], { encoding: 'utf8' }).split('\n').find((x) => new RegExp(`^ *${n}\\*? `).test(x)) ?? '';
		const predicted = /unknown|[\d.]+ [mun]?s/.exec(line)?.[0] ?? 'no prediction';
		const drawn = await v.until(() => v.page.locator('#predicted img.curve').evaluateAll((all) => all.map((x) => x.complete && x.naturalWidth > 100)), (all) => all.length > 0 && !all.includes(false));
		return [...await v.axe(), drawn.includes(false) && 'a picture is not drawn',
			drawn.length === 0 && 'no picture', !text.includes(`: ${predicted}`) && `${text} is without ${predicted}`];
	});
	await v.press('1');
};

const checkKeys = async (v, name, door) => {
	const r = report(name);
	await attempt(`${door}: ? lists the keys, Escape closes the list`, async () => {
		await v.press('?');
		await v.has('#help');
		const text = await v.text('#help');
		const axe = await v.axe();
		await v.press('Escape');
		await v.gone('#help');
		return [...axe, ...['next finding', 'search', 'critical path'].filter((x) => !text.includes(x)).map((x) => `no word of ${x}`)];
	});
	await attempt(`${door}: / finds a place by its name`, async () => {
		const place = r.sites.find((s) => s.line)?.place ?? '';
		await v.press('/');
		await v.has('#search');
		await v.page.keyboard.type(place);
		await v.has('#search li button', place);
		const axe = await v.axe();
		await v.press('Escape');
		await v.gone('#search');
		return axe;
	});
	await attempt(`${door}: / and Enter go to what is found`, async () => {
		const place = r.sites.find((s) => s.line)?.place ?? '';
		await v.press('/');
		await v.page.locator('#search input').fill(place);
		await v.has('#search li button', place);
		await v.press('Enter');
		await v.gone('#search');
		await v.press('1');
	});
	await attempt(`${door}: j and k walk through the findings, and come round`, async () => {
		const n = r.advice.length;
		if (n === 0) return [];
		// going to a place goes to its finding, too
		const start = Number((await v.address()).get('finding') ?? 1);
		const after = (steps) => String((start - 1 + steps + n) % n + 1);
		await v.press('j');
		await v.hasHash('finding', after(1));
		for (let i = 1; i < n; i++) await v.press('j');
		await v.hasHash('finding', after(0));
		await v.press('k');
		await v.hasHash('finding', after(-1));
		await v.press('j');
		await v.hasHash('finding', after(0));
	});
	await attempt(`${door}: the address opens the same view again`, async () => {
		await v.press('4');
		await v.hasHash('page', 'source');
		const address = v.page.url();
		await v.page.goto('about:blank');
		await v.page.goto(address);
		await v.has('nav a[aria-current="page"]', /^source$/i);
		await v.page.goBack();
		await v.page.goto(address.split('#')[0]);
		await v.answers();
	});
	await attempt(`${door}: the back button goes back a page`, async () => {
		await v.press('2');
		await v.hasHash('page', 'timeline');
		await v.press('5');
		await v.hasHash('page', 'grains');
		await v.page.goBack();
		await v.hasHash('page', 'timeline');
		await v.press('1');
	});
};

const noProblems = (v, door) => result(`${door}: no error, no warning, no request that is not to be`, v.take());

const checkDoor = async (name, door, address, options = {}) => {
	const v = await Visit.open(browser, address, options);
	try {
		await attempt(`${door}: opens`, () => v.answers());
		await checkWords(v, name, door);
		await checkPages(v, door, options.scheme ?? 'light');
		await checkPredicted(v, name, door);
		await checkKeys(v, name, door);
	} catch (error) {
		result(`${door}: can be seen to its end`, String(error));
	}
	noProblems(v, door);
	await v.close();
};

/** The words of the page before its script, and with it; what of the run became markup. */
const checkTold = async (name) => {
	const words = (page) => page.evaluate(() => ['h1', '#verdict', '#findings-title', '#findings'].map((x) => document.querySelector(x)?.innerText.replace(/\s+/g, ' ') ?? null));
	await attempt(`${name}: says the same without its script, and nothing of the run is markup`, async () => {
		const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
		const page = await context.newPage();
		await page.goto(`file://${file(`${name}.html`)}`);
		const before = await words(page);
		const odd = await page.evaluate(() => [...document.querySelectorAll('#app *')].flatMap((e) => [...e.attributes].map((a) => `${e.tagName} ${a.name}`).concat(e.tagName))
			.filter((x) => !/^((HEADER|MAIN|DIV|P|SECTION|H[12]|OL|LI|BUTTON|SPAN|SMALL|I|PICTURE)( class)?|SOURCE|SOURCE (media|srcset)|IMG|IMG (alt|height|src)|(DIV|MAIN|P|H2|OL|BUTTON) id|BUTTON type|H1 title|SECTION aria-labelledby)$/.test(x)));
		await context.close();
		const v = await Visit.open(browser, `file://${file(`${name}.html`)}`);
		await v.answers();
		const after = await words(v.page);
		await v.close();
		return [...odd, ...before.map((text, i) => text !== after[i] && `without the script: ${text}; with it: ${after[i]}`), before[1] === null && 'says nothing'];
	});
};

/** Is the timeline there without the script, and so without the core? And is it what the core then draws? Colours are compared by their
 * means over pieces of the two threads' rows, as columns of other widths stack other shares. Borders of grains, which come last, are too thin to be other colours. */
const checkFirstPicture = async (name, scheme) => attempt(`${name}: the timeline is there before the script and the core, as they draw it (${scheme})`, async () => {
	const blocks = (page, of) => page.evaluate(async (selector) => {
		const shown = document.querySelector(selector), image = shown instanceof HTMLImageElement;
		if (!shown) return null;
		if (image) await shown.decode();
		const canvas = document.createElement('canvas'), height = image ? Number(shown.getAttribute('height')) : shown.height - 69;
		canvas.width = shown.clientWidth - (image ? 0 : 35); canvas.height = height;
		const c = canvas.getContext('2d');
		if (image) c.drawImage(shown, 0, 0, canvas.width, height); else c.drawImage(shown, 34, 29, canvas.width, height, 0, 0, canvas.width, height);
		const out = [];
		for (let y = 0; y < 2; y++) for (let x = 0; x < 40; x++) {
			const [x0, y0, x1, y1] = [x / 40, y / 2, (x + 1) / 40, (y + 1) / 2].map((k, i) => Math.floor(k * (i % 2 ? height : canvas.width)));
			const { data } = c.getImageData(x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0));
			out.push([0, 1, 2].map((k) => data.reduce((sum, v, i) => sum + (i % 4 === k ? v : 0), 0) / (data.length / 4)));
		}
		// colours that many pixels of rows have, as they are
		if (image) { canvas.width = shown.naturalWidth; c.drawImage(shown, 0, 0, canvas.width, height); }
		const counts = new Map(), { data } = c.getImageData(0, 0, canvas.width, height);
		for (let i = 0; i < data.length; i += 4) if (Math.floor(i / 4 / canvas.width) % (height / 2) < height / 2 - 5) { const key = `${data[i]} ${data[i + 1]} ${data[i + 2]}`; counts.set(key, (counts.get(key) ?? 0) + 1); }
		return { width: shown.clientWidth - (image ? 0 : 35), height, out, all: [...counts.keys()], many: [...counts].filter(([, k]) => k > data.length / 4 / 1000).map(([key]) => key) };
	}, of);
	const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 }, colorScheme: scheme });
	const page = await context.newPage();
	await page.goto(`file://${file(`${name}.html`)}`);
	const before = await blocks(page, '.timeline img');
	await context.close();
	const v = await Visit.open(browser, `file://${file(`${name}.html`)}`, { scheme });
	await v.has('#timeline[data-state=exact][data-grains]');
	const after = await blocks(v.page, '#timeline');
	const behind = await v.page.locator('#timeline').evaluate((e) => getComputedStyle(e).backgroundImage);
	await v.close();
	const n_other = before?.out.filter((a, i) => a.some((x, k) => Math.abs(x - after.out[i][k]) > 24)).length;
	const colours = new Set(before?.out.map((a) => a.map((x) => x >> 4).join(' '))).size;
	return [!before && 'there is none', behind !== 'none' && 'it is still behind the canvas', before && colours < 2 && 'it is empty', before && before.height !== after.height && `it is ${before.height} high, then ${after.height}`,
		before && Math.abs(before.width - after.width) > 20 && `it is ${before.width} wide, then ${after.width}`, ...before ? before.many.filter((x) => !after.all.includes(x)).map((x) => `a colour that the core does not draw: ${x}`) : [], before && n_other > 2 && `${n_other} of ${before.out.length} places have other colours`];
});

/** As a hand that lets go of a file over the page. */
const drop = async (v, bytes, name) => {
	const transfer = await v.page.evaluateHandle(([base64, file_name]) => {
		const t = new DataTransfer();
		t.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], file_name));
		return t;
	}, [bytes.toString('base64'), name]);
	await v.page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
};

const runtime = mkdtempSync('/tmp/winnow-doors.');
try {
	// --- a file: axe looks at its pages in light or in dark; through the other doors comes the same page ---
	const n_page = gzipSync(readFileSync(new URL('../page.html', import.meta.url)), { level: 9 }).length;
	result('the page without a run is at most 100 KB, gzipped', n_page > 100 * 1024 && `${n_page} bytes`);
	const with_axe = oneOf('axe of doors', ['light', 'dark']);
	await checkDoor('imbalance', 'a file', `file://${file('imbalance.html')}`, { axe: with_axe.includes('light') });
	await checkDoor('sort', 'a large file in the dark', `file://${file('sort.html')}`, { scheme: 'dark', axe: with_axe.includes('dark') });

	for (const name of ['hostile', ...oneOf('without script', ['imbalance', 'sort', 'nqueens', 'few'])]) await checkTold(name);
	for (const name of ['imbalance', 'sort', 'nqueens']) for (const scheme of oneOf(`first picture of ${name}`, ['light', 'dark'])) await checkFirstPicture(name, scheme);

	// --- a socket, as ssh brings it ---
	{
		const server = await serve('sort.winnow');
		const way = await forward(server.line.replace(/^ssh -L \d+:(\S+) .*/, '$1'));
		const home = `http://localhost:${way.port}/`;
		await checkDoor('sort', 'a socket', home, { axe: false, may_ask: (url) => url === home || url === `${home}run.grains` });
		equal('a socket: the server ends well', await server.end(), 0);
		way.end();
	}

	// --- a port with a token ---
	{
		const server = await serve('imbalance.grains', '--port', '0');
		const home = server.line;
		await checkDoor('imbalance', 'a port', home, { axe: false, may_ask: (url) => url === home || url === `${home}run.grains` });
		const v = await Visit.open(browser, home, { may_ask: (url) => url.startsWith(home) });
		await attempt('a port: a server that has gone is one sentence', async () => {
			await v.answers();
			await server.end();
			v.take();
			// what was not fetched yet cannot be, now; nothing of it may be taken for the run
			await v.press('2', '4', '1');
			await v.page.waitForTimeout(300);
			return v.take().filter((p) => p.startsWith('error:'));
		});
		await v.close();
	}

	// --- a file that is dropped ---
	{
		const v = await Visit.open(browser, `file://${file('imbalance.html')}`);
		await attempt('dropped: another run takes the place of the first', async () => {
			await v.answers();
			await drop(v, readFileSync(file('nqueens.grains')), 'nqueens.grains');
			await v.has('h1', 'nqueens');
		});
		await checkWords(v, 'nqueens', 'dropped');
		noProblems(v, 'dropped');
		const whole = readFileSync(file('nqueens.grains')), title = await v.text('h1');
		for (const [what, bytes] of [['a file that is none', Buffer.from('hello, world')], ['an empty file', Buffer.alloc(0)],
			['half of one', whole.subarray(0, whole.length >> 1)], ['one byte less', whole.subarray(0, whole.length - 1)],
			['another major version', Buffer.concat([whole.subarray(0, 8), Buffer.from([99, 0]), whole.subarray(10)])],
			['a head that is spoilt', Buffer.concat([whole.subarray(0, 24), Buffer.alloc(8, 0xff), whole.subarray(32)])]]) {
			await attempt(`dropped, ${what}: one sentence says so, and the page stays`, async () => {
				const name = `${what.replaceAll(' ', '-')}.grains`;
				await drop(v, bytes, name);
				await v.has('#trouble', name);
				const text = await v.text('#trouble');
				const problems = v.take();
				return [...problems, await v.text('h1') !== title && 'another page is there', text.split('\n').length > 1 && `several lines: ${text}`];
			});
		}
		await v.close();
	}
	{
		// a page without a run: the server's, kept as a file
		const server = await serve('imbalance.grains', '--port', '0');
		writeFileSync(file('empty.html'), execFileSync(file('get'), [new URL(server.line).port, new URL(server.line).pathname]).toString().replace(/^[\s\S]*?\r\n\r\n/, ''));
		await server.end();
		const v = await Visit.open(browser, `file://${file('empty.html')}`);
		await attempt('a browser that cannot unpack the page says so, and the findings stay', async () => {
			const poor = await launch('--js-flags=--wasm-max-mem-pages=16');
			const w = await Visit.open(poor, `file://${file('sort.html')}`, { axe: false });
			await w.has('body', /cannot run the page/);
			const told = await w.text('#verdict');
			await poor.close();
			return told.includes('Worst') || told.includes('problem') ? [] : told;
		});
		await attempt('a page without a run says what to do', async () => {
			await v.has('#empty');
			return v.axe();
		});
		await attempt('a page without a run opens one that is chosen', async () => {
			await v.page.locator('input[type=file]').setInputFiles(file('sort.grains'));
			await v.answers();
		});
		await checkWords(v, 'sort', 'chosen');
		noProblems(v, 'chosen');
		await v.close();
	}

	// --- names that would be more than names ---
	{
		const v = await Visit.open(browser, `file://${file('hostile.html')}`);
		await attempt('hostile names are shown as they are', async () => {
			await v.answers();
			for (const key of ['2', '3', '4', '5', '6', '1']) await v.press(key);
			return (await v.page.locator('img, iframe, object, embed, script[src]').count()) > 0 ? 'an element that the page does not have' : [];
		});
		noProblems(v, 'hostile names');
		await v.close();
	}
} catch (error) {
	result('the doors can be seen to their end', String(error?.stack ?? error));
} finally {
	await browser.close();
	rmSync(runtime, { recursive: true, force: true });
}
done();
