// SPDX-License-Identifier: MIT
// shoot.mjs PAGE.html OUT.png [SCHEME [HASH]] - a picture of a page as it opens, light or dark, with a view in its address.
import { pathToFileURL } from 'node:url';
import { launch, Visit } from './browser.mjs';

const [page, out, scheme = 'light', hash = ''] = process.argv.slice(2);
if (!out) {
	console.error('usage: shoot.mjs PAGE.html OUT.png [light|dark [HASH]]');
	process.exit(2);
}
const browser = await launch();
const visit = await Visit.open(browser, pathToFileURL(page).href + (hash && `#${hash}`), { scheme, size: { width: 1440, height: 900 } });
await visit.has('h1, [role=tablist], nav');
const state = async () => (await visit.page.locator('#canvas').count()) ? visit.page.locator('#canvas').evaluate((c) => JSON.stringify(c.dataset)) : '';
// it rests when nothing has come for a second
for (let before = null, now = await state(); before !== now || now.includes('coarse');) {
	await visit.page.waitForTimeout(1000);
	before = now;
	now = await state();
}
await visit.page.screenshot({ path: out });
const problems = visit.take();
await browser.close();
for (const problem of problems)
	console.error(problem);
process.exit(problems.length ? 1 : 0);
