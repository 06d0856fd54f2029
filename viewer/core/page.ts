// SPDX-License-Identifier: MIT
// What the worker takes and gives of pictures and nodes (app/worker/pictures.ts); src/page/page.h has the meanings.

/** One of src/page/shapes.h: numbers for kinds and flags. */
export const kind = { grain: 0, closed: 1, open: 2, card: 3, strip: 4, bar: 5, fork: 6, join: 7, line: 8, bend: 9, dependence: 10 } as const;
export const flag = { problem: 1, critical: 2, dim: 4, more: 8, missing: 16, selected: 32, rogue: 64, estimated: 128 } as const;
export const no_node = 0xffffffff;
export const all_problems = 255;

export interface View {
	picture: 'map' | 'structure';
	/** The frame, in the picture's world: of the map cores across and nanoseconds down, of the structure pixels. */
	x: number;
	y: number;
	w: number;
	h: number;
	/** Of the picture, in pixels. */
	width: number;
	height: number;
	root?: number;
	selected?: number;
	site?: number;
	problem?: number;
	/** Drawn coarsely. */
	moving?: boolean;
	/** What is lacking is brought; or what is on its way for others is not. */
	brings?: boolean;
	dependences?: boolean;
	log?: boolean;
	/** Of a document: 1 + the place whose colour problems have. */
	tint?: number;
	open?: number[];
	closed?: number[];
}

/** 24 bytes per shape: f32 x, y, w, h; u32 node; u8 kind, flags, ramp, colour. */
export interface Picture {
	shapes: ArrayBuffer;
	texts: { x: number; y: number; anchor: 0 | 1 | 2; style: 0 | 1 | 2 | 3; text: string }[];
	/** Chunks that were missing, the most visible first. */
	needs: number[];
}

export interface Fact {
	key: string;
	text: string;
	value: number | null;
}

export interface Step {
	node: number;
	kind: string;
	name: string;
	what: string;
}

export type Way = 'parent' | 'first' | 'next' | 'previous' | 'critical' | 'problem' | 'similar' | 'changed';

/** How a group differs in the run before, in the order of enum page_mark; signs as src/page/compare_marks.c has them. */
export const marks = ['created', 'vanished', 'changed', 'slower', 'faster'];
export const mark_signs = ['+', '\u2212', '\u2260', '\u25b2', '\u25bc'];
