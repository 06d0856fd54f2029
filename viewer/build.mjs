// SPDX-License-Identifier: MIT
// build.mjs CORE.wasm OUT.html - one page of everything: no reference leaves it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';

const [core, out] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const common = { absWorkingDir: here, bundle: true, minify: true, write: false, format: 'iife', target: 'es2022',
	charset: 'ascii', legalComments: 'inline', logLevel: 'warning', jsx: 'automatic', jsxImportSource: 'preact' };
const text = (result) => result.outputFiles[0].text;

// The container's columns have one table, which is C's; and so have the rules by which groups fold values.
const names = Object.fromEntries([...readFileSync(new URL('../src/grains/columns.def', import.meta.url), 'utf8')
	.matchAll(/^WN_GRAINS_COLUMN\((\d+), \w+, "(\w+)"/gm)].map((m) => [m[1], m[2]]));
const folds = [...readFileSync(new URL('../src/table/columns.c', import.meta.url), 'utf8').matchAll(/\[WN_FOLD_\w+\] = "(\w+)"/g)].map((m) => m[1]);
const tables = { names, folds };
const columns = { name: 'columns', setup(b) {
	b.onResolve({ filter: /^columns:\w+$/ }, ({ path }) => ({ path: path.slice('columns:'.length), namespace: 'columns' }));
	b.onLoad({ filter: /.*/, namespace: 'columns' }, ({ path }) => ({ contents: JSON.stringify(tables[path]), loader: 'json' }));
} };

const bundle = text(await build({ ...common, charset: 'utf8', entryPoints: ['app/both.ts'], plugins: [columns] }));
// Again, by terser: it folds and reuses what esbuild leaves, and the page becomes 2 % smaller.
const main = (await minify(bundle, { compress: { passes: 3 }, format: { comments: 'some' } })).code;
const [look, style] = (await Promise.all(['app/first.css', 'app/page.css'].map((x) => build({ ...common, entryPoints: [x] })))).map((r) => text(r).trimEnd());
// All that the page is, packed more tightly than deflate and LZMA do it, by unpack.c, which also unpacks it.
const module = (...flags) => {
	const folder = mkdtempSync(join(tmpdir(), 'winnow-unpack.')), object = join(folder, 'o'), wasm = join(folder, 'wasm');
	execFileSync('clang-14', ['--target=wasm32', '-std=gnu17', '-O2', '-fno-unroll-loops', '-Wall', '-Wextra', '-Werror', '-ffreestanding', '-ffp-contract=off', '-fvisibility=hidden',
		'-mbulk-memory', '-msign-ext', '-mnontrapping-fptoint', ...flags, '-c', 'unpack.c', '-o', object], { cwd: here });
	execFileSync('wasm-ld-14', ['--no-entry', '--gc-sections', '--strip-all', '-z', 'stack-size=4096', '--global-base=1024', object, '-o', wasm]);
	execFileSync('wasm-opt', ['--enable-bulk-memory', '--enable-sign-ext', '--enable-nontrapping-float-to-int', '-Oz', '--converge', '--low-memory-unused', wasm, '-o', wasm]);
	const bytes = readFileSync(wasm);
	rmSync(folder, { recursive: true });
	return bytes;
};
const packer = new WebAssembly.Module(module('-DPACK'));
const pack = (bytes, is_code) => {
	const { memory, packed_bytes, plain_bytes, begin, transfer } = new WebAssembly.Instance(packer).exports;
	if (bytes.length > 2 ** 18) throw new Error('unpack.c has room for 2^18 packed bytes, and may need as many for these');
	new Uint8Array(memory.buffer).set(bytes, plain_bytes());
	begin(is_code);
	const n = transfer(bytes.length);
	return Buffer.from(memory.buffer, packed_bytes(), n).toString('base64');
};
const parts = [Buffer.from(style), Buffer.from(main), readFileSync(core)];
const packed = `${pack(Buffer.concat(parts.slice(0, 2)), false)} ${pack(parts[2], true)}`;
// K() takes the text of the element before it as bytes of the container from data-at on (where the piece before
// ended, without) and removes both elements, so that the page stays small. Its text is always the same: one
// hash allows all of them.
const take = `K()`;
const unpack = `M()`, begin = `F()`;
const first = text(await build({ ...common, entryPoints: ['app/arrive.ts'], define: { UNPACK: JSON.stringify(module().toString('base64')) } })).trimEnd();
for (const script of [take, unpack, begin, first])
	if (/<\/script|<!--/i.test(script))
		throw new Error('a script must not end itself');
for (const part of [take, unpack, begin, first, look])
	if (/@(TOLD|FIRST|DATA|CONNECT)@/.test(part))
		throw new Error('a marker belongs to the page alone');

const hash = (s) => `'sha256-${createHash('sha256').update(s).digest('base64')}'`;
const policy = [`default-src 'none'`, `script-src ${[main, take, unpack, begin, first].map(hash).join(' ')} 'wasm-unsafe-eval'`,
	`worker-src blob:`, `style-src ${hash(look)} ${hash(style)}`, `img-src data: blob:`, `base-uri 'none'`, `form-action 'none'`].join('; ') + ';@CONNECT@';
// What is drawn first goes where @FIRST@ is, and arrives while workers unpack; the rest goes where @DATA@ is, and arrives while the page is in use.
writeFileSync(out, `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Winnow</title>
<meta name="color-scheme" content="light dark">
<style>${look}</style>
<div id="app">@TOLD@</div>
<script>${first}</script>
<script type="text/plain" id="packed" data-bytes="${parts.map((p) => p.length).join(' ')}">${packed}</script>
<script>${unpack}</script>
@FIRST@
<script>${begin}</script>
@DATA@
`);
