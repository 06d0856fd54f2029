// SPDX-License-Identifier: MIT
// Values out of JSON that anybody may have written: of the type that was asked for, or absent.

export type Json = unknown;
export type Fields = Record<string, Json>;

export const fields = (v: Json): Fields =>
	typeof v === 'object' && v !== null && !Array.isArray(v) ? v as Fields : {};
export const list = (v: Json): Json[] => (Array.isArray(v) ? v : []);
export const text = (v: Json): string => (typeof v === 'string' ? v : '');
export const number = (v: Json): number | null => (typeof v === 'number' && Number.isFinite(v) ? v : null);
export const numbers = (v: Json): number[] => list(v).map((x) => number(x) ?? NaN);
export const flag = (v: Json): boolean => v === true;
