// SPDX-License-Identifier: MIT
// shoot.mjs PAGE.html OUT.png [SCHEME [HASH]] - a picture of a page as it opens, light or dark, with a view in its address.
// shoot.mjs --grid FOLDER PAGE.html... - each page as it opens at three widths, light and dark; on a phone, at 200 % zoom, as print.
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, Visit } from './browser.mjs';

const usual = { width: 1440, height: 900 };
const windows = {
	800: { width: 800, height: 1000 }, 1500: { width: 1500, height: 950 }, 3000: { width: 3000, height: 1700 },
	phone: { width: 390, height: 844, scale: 2 }, zoom: { width: 750, height: 475, scale: 2 }, print: { width: 794, height: 1123, media: 'print' },
};

/** Opens the page, waits until it rests, and takes its picture; returns what went wrong in it. */
const shoot = async (browser, page, out, { scheme = 'light', hash = '', size = usual, is_whole = false } = {}) => {
	const visit = await Visit.open(browser, pathToFileURL(page).href + (hash && `#${hash}`), { scheme, size });
	if (await visit.page.locator('#app').count()) {
		await visit.answers();
		if (!hash.includes('page=') || hash.includes('page=graph')) await visit.has('#canvas[data-state=exact], #canvas[data-state=partial]');
	}
	const state = () => visit.page.evaluate(() => JSON.stringify([...document.querySelectorAll('canvas')].map((c) => ({ ...c.dataset }))));
	// it rests when nothing has come for a second
	for (let before = null, now = await state(); before !== now || now.includes('coarse');) {
		await visit.page.waitForTimeout(1000);
		before = now;
		now = await state();
	}
	if (size.media === 'print') {
		const pdf = out.replace(/png$/, 'pdf');
		await visit.page.pdf({ path: pdf, preferCSSPageSize: true });
		execFileSync('pdftoppm', ['-png', '-r', '110', pdf, out.replace(/-?\w*\.png$/, '')]);
	} else await visit.page.screenshot({ path: out, fullPage: is_whole });
	const clipped = await visit.page.evaluate(() => document.documentElement.scrollWidth > innerWidth ? [`${document.documentElement.scrollWidth} px in a window of ${innerWidth}`] : []);
	const problems = visit.take();
	await visit.close();
	return [...problems, ...clipped].map((p) => `${out}: ${p}`);
};

const args = process.argv.slice(2);
if (args.length < 2 || (args[0] === '--grid' && args.length < 3)) {
	console.error('usage: shoot.mjs PAGE.html OUT.png [light|dark [HASH]] | --grid FOLDER PAGE.html...');
	process.exit(2);
}
const browser = await launch();
const problems = [];
if (args[0] === '--grid') {
	const [, folder, ...pages] = args;
	for (const page of pages)
		for (const [name, size] of Object.entries(windows))
			for (const scheme of size.scale || size.media ? ['light'] : ['light', 'dark'])
				problems.push(...await shoot(browser, page, `${folder}/${basename(page, '.html')}-${name}-${scheme}.png`, { scheme, size, is_whole: size.scale === 2 || Boolean(size.media) }));
} else {
	const [page, out, scheme, hash] = args;
	problems.push(...await shoot(browser, page, out, { scheme, hash }));
}
await browser.close();
for (const problem of problems)
	console.error(problem);
process.exit(problems.length ? 1 : 0);
