// SPDX-License-Identifier: MIT
// inflate.mjs VIEWER - the page's own inflater (app/container.ts) against zlib: blocks of all kinds, levels and strategies;
// cut, damaged, and of another size than is said. Prints TAP.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const [viewer] = process.argv.slice(2);
let esbuild;
try {
	esbuild = createRequire(join(viewer, 'package.json'))('esbuild');
} catch {
	console.log('1..0 # SKIP esbuild is missing: tools/build-page.sh --packages');
	process.exit(0);
}
const built = await esbuild.build({ entryPoints: [join(viewer, 'app/container.ts')], bundle: true, format: 'esm', write: false });
const { inflate } = await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`);

const seed = Number(process.env.WN_SEED ?? Date.now() % 2 ** 31);
console.log(`# seed ${seed}`);
let state = seed >>> 0;
const random = (n) => Math.floor((state = Math.imul(state, 1664525) + 1013904223 >>> 0) / 2 ** 32 * n);

/** Bytes that repeat what is a little before them, more or less often. */
const someBytes = () => {
	const bytes = new Uint8Array(random(2) ? random(300) : random(40000)), n_values = 1 + random(256), repeats = random(100);
	for (let i = 0; i < bytes.length; i++)
		bytes[i] = i > 0 && random(100) < repeats ? bytes[i - 1 - random(Math.min(i, 300))] : random(n_values);
	return bytes;
};

/** What it inflates to, or the error as text. */
const attempt = (packed, n) => { try { return inflate(packed, n); } catch (error) { return String(error?.message ?? error); } };
const isSame = (a, b) => typeof a !== 'string' && Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;
const isRefused = (a) => typeof a === 'string' && a.includes('damaged');

const faults = { whole: [], size: [], cut: [], damaged: [] };
for (let k = 0; k < 1500; k++) {
	const plain = someBytes(), packed = new Uint8Array(deflateRawSync(plain, { level: k % 10, strategy: k % 5 }));
	if (!isSame(attempt(packed, plain.length), plain)) faults.whole.push(k);
	for (const n of [plain.length - 1, plain.length + 1])
		if (n >= 0 && !isRefused(attempt(packed, n))) faults.size.push(k);
	if (!isRefused(attempt(packed.slice(0, random(packed.length)), plain.length))) faults.cut.push(k);
	packed[random(packed.length)] ^= 1 << random(8);
	let expected = null;
	try { expected = inflateRawSync(packed); } catch { /* refused there */ }
	const found = attempt(packed, plain.length), is_whole = expected?.length === plain.length;
	// what zlib refuses may become other bytes, which the caller's checksum finds
	if (typeof found === 'string' ? is_whole || !isRefused(found) : is_whole && !isSame(found, expected)) faults.damaged.push(k);
}
const sentences = { whole: 'blocks are inflated as by zlib', size: 'another size than the bytes have is refused', cut: 'what is cut off is refused',
	damaged: 'a flipped bit is refused, or ends in what zlib reads' };
Object.entries(sentences).forEach(([key, sentence], i) => {
	console.log(`${faults[key].length > 0 ? 'not ' : ''}ok ${i + 1} - ${sentence}`);
	if (faults[key].length > 0) console.log(`# blocks ${faults[key].slice(0, 10).join(', ')}`);
});
console.log(`1..${Object.keys(sentences).length}`);
process.exitCode = Object.values(faults).some((x) => x.length > 0) ? 1 : 0;
