// SPDX-License-Identifier: MIT
// Numbers as the reports write them: three digits, the unit beside them (src/report/units.c).

const digits = (value: number): number => (value < 9.995 ? 2 : value < 99.95 ? 1 : 0);

/** Are times nanoseconds? Those of imported data are cycles, which nobody can scale. */
let is_raw = false;
export const setUnit = (unit: string): void => { is_raw = unit !== 'ns'; };

export const count = (n: number | null): string =>
	n === null || !Number.isFinite(n) ? '-' : String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');

export const time = (ns: number | null): string => {
	if (ns === null || !Number.isFinite(ns)) return '-';
	if (is_raw) return count(ns);
	if (Math.abs(ns) < 1000) return `${Math.round(ns)} ns`;
	let scale = 1e3;
	let unit = 0;
	while (unit < 2 && Math.abs(ns) / scale >= 999.5) {
		scale *= 1e3;
		unit++;
	}
	// halves to the even side, as C does
	const n_after = digits(Math.abs(ns) / scale);
	const exact = ns / (scale / 10 ** n_after);
	const rounded = exact % 1 === 0.5 ? 2 * Math.round(exact / 2) : Math.round(exact);
	return `${(rounded / 10 ** n_after).toFixed(n_after)} ${['us', 'ms', 's'][unit]}`;
};

export const ratio = (value: number | null): string => {
	if (value === null || !Number.isFinite(value)) return '-';
	return value >= 999.5 ? count(value) : value.toFixed(digits(Math.abs(value)));
};

export const percent = (part: number | null, whole: number | null): string =>
	part === null || whole === null || !(whole > 0) ? '-' : `${(100 * part / whole).toFixed(1)} %`;

export const bytes = (n: number): string => {
	let value = n;
	let unit = 0;
	while (unit < 3 && value >= 999.5) {
		value /= 1e3;
		unit++;
	}
	return unit ? `${value.toFixed(digits(value))} ${['', 'kB', 'MB', 'GB'][unit]}` : `${n} bytes`;
};

const units: [number, string][] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']];
const unitOf = (ns: number): [number, string] => is_raw ? [1, ''] : units.find(([u]) => u <= ns) ?? [1, 'ns'];

/** Ticks at round times of a window, whose texts differ. Where that needs many digits, they are distances from the first one, which
 *  `base` names. */
export const axis = (from: number, to: number, n: number): { base: string; ticks: { at: number; text: string }[] } => {
	if (!(to > from && to < Infinity)) return { base: '', ticks: [] };
	const step = Math.max(1, roundStep(to - from, n)), first = Math.ceil(from / step) * step;
	const at = Array.from({ length: Math.max(0, Math.floor((to - first) / step * 1.000001) + 1) }, (_, i) => first + i * step);
	const [unit, name] = unitOf(to);
	let digits = 0;
	while (digits < 4 && step / unit * 10 ** digits % 1 > 1e-6) digits++;
	if (digits < 4 && (to / unit < 1e4 || is_raw)) return { base: '', ticks: at.map((v) => ({ at: v, text: `${is_raw ? count(v) : (v / unit).toFixed(digits)} ${v === 0 ? '' : name}`.trim() })) };
	const [small, its_name] = unitOf(step);
	return { base: `${count(first)} ns`, ticks: at.map((v) => ({ at: v, text: `+${Math.round((v - first) / small)} ${its_name}` })) };
};

/** A round distance between ticks, 1, 2 or 5 times a power of ten, so that `n` or so fit into `most`; at least one does. */
const roundStep = (most: number, n: number): number => {
	const rough = most / Math.max(3, n), power = 10 ** Math.floor(Math.log10(rough));
	return power * ([1, 2, 5, 10].find((k) => k * power >= rough) ?? 10);
};

/** Round numbers for `n` or so ticks between 0 and `most`. */
export const ticks = (most: number, n: number): number[] => {
	if (!(most > 0 && most < Infinity)) return [0];
	const step = roundStep(most, n), out: number[] = [];
	for (let at = 0; at <= most * 1.0001; at += step) out.push(at);
	return out;
};
