// SPDX-License-Identifier: MIT
// Chromium with the page in it: what goes wrong anywhere is a problem, and none is allowed.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
/** What answers in milliseconds may take this long where the machine is busy. */
const wait_ms = 90000;

export const launch = (...flags) => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', chromiumSandbox: process.getuid() !== 0,
	args: ['--disable-gpu', ...flags] });

/** A tab, and the visit that it serves now; what goes wrong in it is that visit's problem. */
class Tab {
	visit = null;

	static async open(browser, size, scheme) {
		const tab = new Tab();
		tab.context = await browser.newContext({ viewport: { width: size.width, height: size.height }, deviceScaleFactor: size.scale ?? 1, colorScheme: scheme });
		tab.page = await tab.context.newPage();
		tab.page.setDefaultTimeout(wait_ms);
		const is_allowed = (r) => tab.visit?.may_ask(r.url());
		const wrong = (text) => tab.visit?.problems.push(text);
		tab.page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') wrong(`console: ${m.text()}`); });
		tab.page.on('pageerror', (e) => wrong(`error: ${e}`));
		tab.page.on('crash', () => wrong('the page crashed'));
		tab.page.on('request', (r) => { if (!/^(file|blob|data):/.test(r.url()) && !is_allowed(r)) wrong(`request: ${r.url()}`); });
		tab.page.on('requestfailed', (r) => { if (is_allowed(r)) wrong(`failed: ${r.url()}: ${r.failure()?.errorText}`); });
		return tab;
	}
}

/** Tabs of each browser that no visit uses: one that is there opens a page for a third of what a new one takes. */
const idle = new WeakMap();

/** A page in a tab of its own. `may_ask` says which addresses may be asked for; files always. `axe`: does axe look at it? */
export class Visit {
	problems = [];

	static async open(browser, address, { may_ask = () => false, scheme = 'light', size = { width: 1280, height: 900 }, axe = true } = {}) {
		const v = new Visit();
		v.may_ask = may_ask;
		v.has_axe = axe;
		if (!idle.has(browser)) idle.set(browser, new Map());
		const key = `${scheme} ${size.width} ${size.height}`, tabs = idle.get(browser);
		if (!tabs.has(key)) tabs.set(key, []);
		v.waiting = tabs.get(key);
		v.tab = v.waiting.pop() ?? await Tab.open(browser, size, scheme);
		v.tab.visit = v;
		v.context = v.tab.context;
		v.page = v.tab.page;
		await v.page.goto(address);
		return v;
	}

	/** What went wrong since the last call. */
	take() {
		return this.problems.splice(0);
	}

	text(selector) { return this.page.locator(selector).first().innerText(); }
	texts(selector) { return this.page.locator(selector).allInnerTexts(); }
	async press(...keys) { for (const key of keys) await this.page.keyboard.press(key); }
	has(selector, hasText) { return this.page.locator(selector, hasText === undefined ? {} : { hasText }).first().waitFor({ timeout: wait_ms }); }
	/** The script has taken over from what the page says without it. */
	answers() { return this.has('nav a[aria-current]'); }
	gone(selector) { return this.page.locator(selector).first().waitFor({ state: 'detached', timeout: wait_ms }); }

	/** Reads until it is so; what was read last, also where it was not so for too long. */
	async until(read, is, most_ms = wait_ms) {
		for (const end = Date.now() + most_ms; ;) {
			const value = await read();
			if (is(value) || Date.now() > end) return value;
			await this.page.waitForTimeout(20);
		}
	}

	/** The page's own address: what the driver tells of it comes later. */
	async address() { return new URLSearchParams(await this.page.evaluate(() => location.hash.slice(1))); }

	/** What the address has of a key, once it has it; null: it does not come. */
	key(key) { return this.until(async () => (await this.address()).get(key), (x) => x !== null); }

	/** Texts, once they are as they are to be. */
	textsUntil(selector, is) { return this.until(() => this.texts(selector), is); }

	/** Waits until the address has this value; null: has not the key. */
	async hasHash(key, value) {
		const found = await this.until(async () => (await this.address()).get(key), (x) => x === value);
		if (found !== value) throw new Error(`${key} is ${found} in the address, not ${value}`);
	}

	/** The picture is drawn, and nothing is missing in it. */
	async drawn() {
		await this.has('#canvas[data-state="exact"]');
		return Number(await this.page.locator('#canvas').getAttribute('data-shapes'));
	}

	/** The picture is drawn and rests: nothing is to come any more. */
	async rests() {
		const canvas = this.page.locator('#canvas');
		await this.has('#canvas[data-shapes]');
		for (let same = 0, before = ''; same < 5;) {
			await this.page.waitForTimeout(100);
			const now = JSON.stringify(await canvas.evaluate((c) => ({ ...c.dataset })));
			same = now === before && !now.includes('moving') && !now.includes('coarse') ? same + 1 : 0;
			before = now;
		}
	}

	/** Findings of axe that are serious or critical, in the debugger's own world: the policy stays on. */
	async axe() {
		if (!this.has_axe) return [];
		const cdp = await this.context.newCDPSession(this.page);
		await cdp.send('Runtime.evaluate', { expression: axe });
		const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', { awaitPromise: true, returnByValue: true,
			expression: 'axe.run().then((r) => r.violations.map((v) => ({ id: v.id, impact: v.impact, where: v.nodes.map((n) => n.target.join(" ")).slice(0, 3) })))' });
		await cdp.detach();
		if (exceptionDetails) return [`axe: ${exceptionDetails.text}`];
		return result.value.filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.where.join(', ')}`);
	}

	/** The tab is empty, for the next visit. */
	async close() {
		this.tab.visit = null;
		try {
			await this.page.goto('about:blank');
			this.waiting.push(this.tab);
		} catch {
			await this.context.close();
		}
	}
}
