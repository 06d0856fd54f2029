// SPDX-License-Identifier: MIT
// firefox.mjs WINNOW FOLDER - the page in Firefox, driven by Marionette, which it brings along. FOLDER as for
// doors.mjs. TAP.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt, done, result } from './tap.mjs';

const [, folder] = process.argv.slice(2);
const file = (name) => join(folder, name);
const wait_ms = 90000;

/** Firefox without a window; `ask` is a command of WebDriver. */
const launch = async () => {
	const profile = mkdtempSync('/tmp/winnow-firefox.');
	// it writes down which port it took
	writeFileSync(join(profile, 'user.js'), 'user_pref("marionette.port", 0);\nuser_pref("devtools.console.stdout.content", true);\n');
	const child = spawn('firefox-esr', ['--headless', '--no-remote', '--marionette', '--profile', profile], { stdio: ['ignore', 'pipe', 'ignore'] });
	let said = '';
	child.stdout.on('data', (data) => { said += data; });
	let port = 0;
	for (const end = Date.now() + wait_ms; !port && Date.now() < end; await sleep(100))
		try { port = Number(readFileSync(join(profile, 'MarionetteActivePort'), 'utf8')); } catch { /* not yet */ }
	if (!port) throw new Error('Firefox does not start');
	const socket = connect(port, '127.0.0.1');
	const waiting = new Map();
	let buffer = Buffer.alloc(0), last = 0;
	socket.on('error', () => undefined);
	socket.on('data', (data) => {
		buffer = Buffer.concat([buffer, data]);
		for (;;) {
			const colon = buffer.indexOf(':');
			const n = colon < 0 ? NaN : Number(buffer.subarray(0, colon).toString());
			if (!(buffer.length >= colon + 1 + n)) return;
			const message = JSON.parse(buffer.subarray(colon + 1, colon + 1 + n).toString());
			buffer = buffer.subarray(colon + 1 + n);
			if (!Array.isArray(message)) continue;
			const [, id, error, value] = message;
			waiting.get(id)?.[error ? 'fail' : 'done'](error ? new Error(error.message) : value);
			waiting.delete(id);
		}
	});
	const ask = (command, parameters = {}) => new Promise((resolve, reject) => {
		waiting.set(++last, { done: resolve, fail: reject });
		const text = JSON.stringify([0, last, command, parameters]);
		socket.write(`${Buffer.byteLength(text)}:${text}`);
	});
	const close = async () => {
		socket.destroy();
		const gone = new Promise((resolve) => { child.on('exit', resolve); });
		child.kill();
		await gone;
		rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
	};
	await ask('WebDriver:NewSession', { capabilities: {} });
	return { ask, close, said: () => said };
};

const firefox = await launch();
const { ask } = firefox;
const find = async (selector) => Object.values((await ask('WebDriver:FindElement', { using: 'css selector', value: selector })).value)[0];
const text = async (selector) => (await ask('WebDriver:GetElementText', { id: await find(selector) })).value;
const attribute = async (selector, name) => (await ask('WebDriver:GetElementAttribute', { id: await find(selector), name })).value;

/** Until it is true; what is thrown meanwhile is that it is not there yet. */
const until = async (what, is) => {
	let last = '';
	for (const end = Date.now() + wait_ms; Date.now() < end; await sleep(50))
		try { if (await is()) return; } catch (error) { last = String(error.message); }
	throw new Error(`${what} does not come: ${last}`);
};
const press = (key) => ask('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys', actions: [{ type: 'keyDown', value: key }, { type: 'keyUp', value: key }] }] });

try {
	for (const name of ['sort', 'imbalance', 'sweeps']) {
		const r = JSON.parse(readFileSync(file(`${name}.json`), 'utf8'));
		await attempt(`${name}: the first sentences and findings are the report's`, async () => {
			await ask('WebDriver:Navigate', { url: `file://${file(`${name}.html`)}` });
			await until('the verdict', () => text('nav'));
			const shown = (await text('#verdict')).replace(/\s+/g, ' ');
			const worst = r.headline.at(-1);
			const first = r.advice[0] ? await text('#findings li') : '';
			return [!shown.includes(worst) && `${shown} is without ${worst}`, r.advice[0] && !first.includes(r.advice[0].place ?? 'whole program') && first];
		});
		await attempt(`${name}: the timeline, the graph and the ideal schedule are drawn`, async () => {
			await until('the timeline', async () => await attribute('#timeline', 'data-state') === 'exact');
			await until('the graph', async () => await attribute('#canvas', 'data-state') === 'exact');
			const n = Number(await attribute('#canvas', 'data-shapes'));
			await press('m');
			await until('the schedule', async () => (await attribute('#show-map', 'aria-pressed')) === 'true' && await attribute('#canvas', 'data-state') === 'exact');
			await press('m');
			return n > 0 ? [] : 'no shapes';
		});
		await attempt(`${name}: every page opens by its number`, async () => {
			for (const [i, page] of ['timeline', 'graph', 'source', 'grains', 'metrics', 'overview'].entries()) {
				await press(String((i + 1) % 6 + 1));
				await until(page, async () => (await text('nav a[aria-current="page"]')).toLowerCase() === page);
			}
		});
		writeFileSync(file(`${name}-firefox.png`), Buffer.from((await ask('WebDriver:TakeScreenshot', { full: false })).value, 'base64'));
	}
	await sleep(200);
	// RSLoader is Firefox's own errand
	result('nothing is complained of on the console', firefox.said().split('\n').filter((line) => /^(console\.(error|warn)|JavaScript (error|warning))/i.test(line) && !/RSLoader|chrome:|resource:|moz-extension:/.test(line)));
} catch (error) {
	result('Firefox can be driven to the end', String(error?.stack ?? error));
} finally {
	await firefox.close();
}
done();
