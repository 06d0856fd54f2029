// SPDX-License-Identifier: MIT
// parity.mjs PROP_STORE PROP_TIMELINE CORE.wasm - draws views of containers with the page's core, and compares with what
// native code drew (prop_store.c, prop_timeline.c): byte for byte. Prints TAP.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const [prop_store, prop_timeline, core] = process.argv.slice(2);
const wasm = readFileSync(core);
if (wasm.length === 0) {
	console.log('1..0 # SKIP there is no clang, wasm-ld or wasm-opt');
	process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'winnow-parity-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
execFileSync(prop_store, [folder]);
execFileSync(prop_timeline, [folder]);
const module = new WebAssembly.Module(wasm);

const numbers_of_view = 16, numbers_of_lanes = 6;
const tier = 1, threads = 3, loops = 5, regions = 6, chunk = 7, above = 9, stretches = 10;

/** Parts and blocks, as src/grains/format.h has them. */
const directory = (file) => {
	const v = new DataView(file.buffer, file.byteOffset, file.byteLength);
	const u64 = (d, at) => Number(d.getBigUint64(at, true));
	const at = u64(v, 48), n_parts = v.getUint32(68, true), parts_at = u64(v, 104);
	const raw = inflateRawSync(file.subarray(at, at + v.getUint32(56, true)));
	const d = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
	let next = n_parts * 80;
	const parts = Array.from({ length: n_parts }, (_, p) => {
		const o = p * 80;
		let block_at = parts_at + u64(d, o + 8);
		const part = { kind: d.getUint8(o), number: d.getUint32(o + 4, true), rows: [0, 1, 2, 3, 4, 5].map((k) => d.getUint32(o + 24 + 4 * k, true)),
			first_node: d.getUint32(o + 48, true), first_grain: d.getUint32(o + 52, true), parent: d.getUint32(o + 56, true), n_open: d.getUint32(o + 60, true), raw: raw.subarray(o, o + 80), blocks: [] };
		for (let b = d.getUint32(o + 20, true); b > 0; b--, next += 16) {
			const n_bytes = d.getUint32(next + 8, true);
			part.blocks.push({ column: d.getUint16(next, true), rows: d.getUint8(next + 2), width: d.getUint8(next + 3), code: d.getUint8(next + 4),
				state: d.getUint8(next + 5), raw: raw.subarray(next, next + 16), packed: file.subarray(block_at, block_at + n_bytes) });
			block_at += n_bytes;
		}
		return part;
	});
	const index = JSON.parse(inflateRawSync(file.subarray(u64(v, 24), u64(v, 24) + v.getUint32(32, true))));
	return { index, n_nodes: v.getUint32(72, true), n_grains: v.getUint32(76, true), chunk_grains: v.getUint32(80, true), parts };
};

const folds = ['none', 'sum', 'min', 'max', 'median', 'mean', 'any', 'again'];

class Core {
	constructor() { this.e = new WebAssembly.Instance(module, {}).exports; }
	bytes(at, n) { return Buffer.from(this.e.memory.buffer.slice(at, at + n)); }
	withBytes(bytes, f) {
		const at = this.e.core_alloc(bytes.length || 1);
		new Uint8Array(this.e.memory.buffer).set(bytes, at);
		try { return f(at); } finally { this.e.core_free(at); }
	}
	must(is_fine) {
		if (!is_fine) throw new Error(this.bytes(this.e.core_error(), 200).toString('latin1').split('\0')[0]);
	}
	put(part) {
		for (const b of part.blocks) {
			if (!this.e.core_is_for_pictures(part.kind, b.column)) continue;
			const raw = b.packed.length ? inflateRawSync(b.packed) : Buffer.alloc(0);
			this.withBytes(raw, (at) => this.must(this.e.core_put(part.kind, part.number, b.column, b.rows, b.width, b.code, b.state, at, raw.length)));
		}
		this.must(this.e.core_ready(part.kind, part.number));
	}
	/** To the table in use what it wants of a part. */
	take(part) {
		this.withBytes(part.raw, (at) => this.e.core_table_begin(at));
		for (const b of part.blocks) {
			if (!this.e.core_table_wants(part.kind, b.column, b.rows)) continue;
			const raw = b.packed.length ? inflateRawSync(b.packed) : Buffer.alloc(0);
			const at = this.e.core_alloc(raw.length || 1);
			new Uint8Array(this.e.memory.buffer).set(raw, at);
			this.withBytes(b.raw, (block) => this.must(this.e.core_table_put(block, at, raw.length) === 0));
		}
		this.must(this.e.core_table_ready() === 0);
	}
	/** Ids of all nodes, in order: each leads through chunks as the worker looks at them. */
	names(d) {
		const chunks = d.parts.filter((p) => p.kind === chunk), out = [];
		this.e.core_table_new();
		this.e.core_names_new(0);
		this.e.core_names_ask();
		for (const p of d.parts) if ([loops, regions, above].includes(p.kind)) this.take(p);
		this.e.core_table_has_tables();
		for (const own of chunks)
			for (let node = own.first_node; node < own.first_node + own.rows[0]; node++) {
				this.take(own);
				let said = this.e.core_name(node);
				for (let before = -1; said === 1 && before !== this.e.core_name_wanted();) {
					before = this.e.core_name_wanted();
					for (const p of chunks) if (said === 1) { this.take(p); said = this.e.core_name_look(); }
				}
				out.push(said === 0 ? this.bytes(this.e.core_name_text(), this.e.core_name_bytes()).toString() : '?');
			}
		return out;
	}
	withText(text, f) { return this.withBytes(Buffer.from(`${text}\0`), f); }
	/** A threshold of a problem or metric, held against all grains as the worker does it (threshold.ts). */
	judge(d, problem, threshold) {
		this.e.core_threshold_begin();
		this.e.core_threshold_set(problem, threshold);
		this.e.core_threshold_ask(1);
		const chunks = d.parts.filter((p) => p.kind === chunk);
		for (const p of d.parts) if (this.e.core_table_wants_part(p.kind)) this.take(p);
		if (this.e.core_table_wants_groups()) for (const p of chunks) this.take(p);
		this.e.core_table_has_tables();
		for (const p of chunks) {
			if (this.e.core_threshold_reuse(p.number)) continue;
			this.take(p);
			this.must(this.e.core_threshold_chunk(p.number, 1) === 0);
		}
		this.must(this.e.core_threshold_end());
	}
	/** The table that judges: what the index says, and a metric. */
	define(index, [words, fold, is_below]) {
		const totals = index.report.totals;
		this.e.core_table_use(1);
		this.e.core_table_new();
		this.e.core_table_number(0, totals.cpus_used ?? NaN);
		this.e.core_table_number(5, totals.work_ns ?? NaN);
		index.problems.forEach((p, k) => {
			this.withText(p.name, (name) => { this.e.core_table_problem(name, Number(p.is_below), p.threshold); this.withText(p.column, (column) => this.must(this.e.core_problem(k, name, column, Number(p.is_below), p.threshold))); });
		});
		this.withText('own', (name) => this.withText(words, (text) => this.withText(folds[Number(fold)], (rule) => this.withText(Number(is_below) ? 'low' : 'high', (bad) => this.must(this.e.core_metric(name, text, rule, bad) === 0)))));
	}
	/** What threads ran in a window. */
	lanes(d, view) {
		this.e.core_table_new();
		this.e.core_lanes_begin(...view);
		this.e.core_lanes_ask();
		for (const p of d.parts) if (this.e.core_table_wants_part(p.kind)) this.take(p);
		if (this.e.core_table_wants_groups()) for (const p of d.parts) if (p.kind === chunk) this.take(p);
		this.e.core_table_has_tables();
		for (const p of d.parts) if (p.kind === chunk) { this.take(p); this.must(this.e.core_lanes_take()); }
		this.must(this.e.core_lanes_draw());
		return this.bytes(this.e.core_shapes(), 24 * this.e.core_n_shapes());
	}
	picture() {
		this.must(this.e.core_draw());
		const n_texts = this.e.core_n_texts(), texts = this.bytes(this.e.core_texts(), 16 * n_texts);
		const n_words = n_texts ? texts.readUInt32LE(16 * n_texts - 8) + texts.readUInt16LE(16 * n_texts - 4) : 0;
		return [this.bytes(this.e.core_shapes(), 24 * this.e.core_n_shapes()), texts, this.bytes(this.e.core_words(), n_words)];
	}
}

let n_views = 0, n_bytes = 0, n_bad = 0, n_names = 0, n_misnamed = 0, n_judged = 0, n_judged_bytes = 0, n_misjudged = 0, n_lanes = 0, n_lane_bytes = 0;
const runs = readdirSync(folder).filter((f) => f.endsWith('.grains')).map((f) => Number(f.split('.')[0])).sort((a, b) => a - b);
for (const run of runs) {
	const core = new Core();
	const d = directory(readFileSync(join(folder, `${run}.grains`)));
	const raw = readFileSync(join(folder, `${run}.views`));
	const views = new Float64Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
	const expected = readFileSync(join(folder, `${run}.pictures`));
	const chunks = d.parts.filter((p) => p.kind === chunk);
	const [, , , , , , , , , , , , n_cores, n_sites, n_problems, counting] = views;
	core.must(core.e.core_new(d.n_nodes, d.n_grains, chunks.length, d.chunk_grains, n_cores, n_sites, n_problems, counting));
	for (let site = 0; site < n_sites; site++) core.e.core_site(site, site < 8 ? site : 8);
	for (const p of d.parts)
		if (p.kind === tier || p.kind === chunk)
			core.withBytes(new Uint8Array(Uint32Array.from(p.rows).buffer), (at) => core.must(core.e.core_part(p.kind, p.number, at, p.first_node, p.first_grain, p.parent, p.n_open)));
	for (const p of d.parts) if (p.kind === tier) core.put(p);
	for (let k = 0; k < chunks.length; k += 1 + run % 3) core.put(chunks[k]);
	for (let node = 0; node < d.n_nodes; node += 7) core.must(core.e.core_mark(node, node % 5));
	let at = 0;
	for (let i = 0; i < views.length; i += numbers_of_view, n_views++) {
		core.e.core_view(...views.subarray(i, i + 12));
		const got = Buffer.concat(core.picture());
		if (n_bad < 5 && !got.equals(expected.subarray(at, at + got.length))) {
			console.log(`# run ${run}, view ${i / numbers_of_view}: the picture differs`);
			n_bad++;
		}
		at += got.length;
		n_bytes += got.length;
	}
	const lanes = readFileSync(join(folder, `${run}.lanes`));
	const windows = new Float64Array(lanes.buffer.slice(lanes.byteOffset, lanes.byteOffset + lanes.length));
	for (let i = 0; i < windows.length; i += numbers_of_lanes, n_lanes++) {
		const got = core.lanes(d, windows.subarray(i, i + numbers_of_lanes));
		if (n_bad < 5 && !got.equals(expected.subarray(at, at + got.length))) {
			console.log(`# run ${run}, lanes ${i / numbers_of_lanes}: they differ`);
			n_bad++;
		}
		at += got.length;
		n_lane_bytes += got.length;
	}
	const metric = readFileSync(join(folder, `${run}.metric`), 'utf8').split('\n');
	const judged_raw = readFileSync(join(folder, `${run}.judged-views`));
	const judged_views = new Float64Array(judged_raw.buffer.slice(judged_raw.byteOffset, judged_raw.byteOffset + judged_raw.length));
	const parts = [];
	core.define(d.index, metric);
	for (let i = 0; i < judged_views.length; i += numbers_of_view, n_judged++) {
		if (i === 0) core.judge(d, 0, Number(metric[3]));
		if (i === judged_views.length / 2) core.judge(d, n_problems, Number(metric[4]));
		core.e.core_view(...judged_views.subarray(i, i + 12));
		parts.push(...core.picture());
	}
	core.e.core_table_use(0);
	core.e.core_step(0, 5, n_problems);
	parts.push(Buffer.from(Float64Array.from({ length: d.n_nodes }, (_, i) => core.e.core_value(i)).buffer));
	const got = Buffer.concat(parts), wanted = readFileSync(join(folder, `${run}.judged`));
	n_judged_bytes += got.length;
	if (!got.equals(wanted) && n_misjudged++ < 5) console.log(`# run ${run}: ${metric[0]}: from byte ${[...got].findIndex((b, i) => b !== wanted[i])} of ${wanted.length} on (${got.length})`);
	const names = readFileSync(join(folder, `${run}.names`), 'utf8').trim().split('\n');
	core.names(d).forEach((name, i) => { n_names++; if (name !== names[i] && n_misnamed++ < 5) console.log(`# run ${run}, node ${i}: ${name} instead of ${names[i]}`); });
	if (at !== expected.length) {
		console.log(`# run ${run}: ${at} bytes of pictures instead of ${expected.length}`);
		n_bad++;
	}
}
console.log(`${n_bad === 0 ? 'ok' : 'not ok'} 1 - the page's core draws ${n_views} views of ${runs.length} runs as native code does (${n_bytes} bytes)`);
console.log(`${n_views >= 1000 && n_bytes > 1e6 ? 'ok' : 'not ok'} 2 - there was enough to compare`);
console.log(`${n_misnamed === 0 && n_names > 1000 ? 'ok' : 'not ok'} 3 - and calls ${n_names} nodes as the tree does`);
console.log(`${n_misjudged === 0 && n_judged >= 500 && n_judged_bytes > 5e5 ? 'ok' : 'not ok'} 4 - and judges, colours and folds in ${n_judged} views (${n_judged_bytes} bytes)`);
console.log(`${n_bad === 0 && n_lane_bytes > 1e5 ? 'ok' : 'not ok'} 5 - and draws ${n_lanes} windows of threads (${n_lane_bytes} bytes)`);

/** Timelines: bins, and of most runs their slices. */
let n_timelines = 0, n_pixels = 0, n_repainted = 0;
for (const run of readdirSync(folder).filter((f) => f.endsWith('.timeline')).map((f) => f.split('.')[0])) {
	const { e } = new Core(), core = new Core();
	core.e = e;
	const d = directory(readFileSync(join(folder, `${run}.timeline`))), { n_threads, bin_ns } = d.index.threads;
	const numbers = readFileSync(join(folder, `${run}.timeline-views`)), expected = readFileSync(join(folder, `${run}.timeline-pixels`));
	const views = new Float64Array(numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.length));
	core.must(e.core_timeline_new(n_threads, d.parts.filter((p) => p.kind === stretches).length));
	core.withBytes(Uint8Array.from({ length: 64 }, (_, k) => k % 9), (at) => core.must(e.core_timeline_sites(at, 64)));
	const load = (part, width) => {
		e.core_timeline_begin(part.number, part.rows[5], width);
		for (const b of part.blocks) {
			const raw = b.packed.length ? inflateRawSync(b.packed) : Buffer.alloc(0);
			if (e.core_timeline_wants(b.column)) core.withBytes(raw, (at) => core.must(e.core_timeline_put(b.column, b.code, b.width, b.state, at, raw.length)));
		}
		core.must(e.core_timeline_end());
	};
	for (const p of d.parts) {
		const v = new DataView(p.raw.buffer, p.raw.byteOffset, 80);
		if (p.kind === threads) load(p, bin_ns);
		if (p.kind !== stretches) continue;
		e.core_timeline_slice(p.number, Number(v.getBigUint64(64, true)), Number(v.getBigUint64(72, true)));
		if (Number(run) % 3 > 0) load(p, 0);
	}
	const palette = Buffer.from(Uint32Array.from({ length: 35 }, (_, k) => (0xff000000 | k * 0x010503) >>> 0).buffer);
	let at = 0;
	for (let i = 0; i < views.length; i += 8, n_timelines++) {
		const [from, to, width, row, gap, first, n] = views.subarray(i, i + 7);
		const got = core.withBytes(palette, (colours) => {
			const pixels = e.core_timeline_paint(from, to, width, row, gap, first, n, colours);
			core.must(pixels);
			return Buffer.concat([core.bytes(pixels, 4 * width * n * (row + gap)), core.bytes(e.core_timeline_working(), 4 * width), core.bytes(e.core_timeline_sum(first, from, to), 8 * 18)]);
		});
		n_pixels += width * n * (row + gap);
		if (!got.equals(expected.subarray(at, at + got.length)) && n_repainted++ < 5) console.log(`# run ${run}, timeline ${i / 8}: it differs`);
		at += got.length;
	}
}
console.log(`${n_repainted === 0 && n_timelines >= 200 && n_pixels > 1e6 ? 'ok' : 'not ok'} 6 - and paints ${n_timelines} timelines (${n_pixels} pixels)`);
console.log('1..6');
process.exitCode = n_bad || n_misnamed || n_misjudged || n_repainted ? 1 : 0;
