// SPDX-License-Identifier: MIT
// The frame of the world that is in view. Worlds have their own units; `width` and `height` are the picture's pixels.

export interface Frame {
	x: number;
	y: number;
	w: number;
	h: number;
}

export interface Size {
	width: number;
	height: number;
}

/** All of a world; with `is_uniform`, both axes at one scale, in the middle; small worlds are enlarged a little. */
export const fit = (world: Size, picture: Size, is_uniform: boolean): Frame => {
	if (!is_uniform) return { x: 0, y: 0, w: world.width, h: world.height };
	const scale = Math.min(Math.max(1.5, picture.height / 500), picture.width / Math.max(1, world.width), picture.height / Math.max(1, world.height));
	const w = picture.width / scale;
	const h = picture.height / scale;
	return { x: (world.width - w) / 2, y: (world.height - h) / 2, w, h };
};

const clamp = (at: number, n: number, world: number): number =>
	n >= world ? (world - n) / 2 : Math.min(Math.max(at, -0.1 * n), world - 0.9 * n);

/** Keeps some of the world in view, and zooming in bounds that numbers can tell apart. */
export const keep = (f: Frame, world: Size, whole: Frame): Frame => {
	const scale = Math.min(1, whole.w / f.w, whole.h / f.h);
	const w = Math.max(f.w * scale, world.width * 1e-9);
	const h = Math.max(f.h * scale, world.height * 1e-9);
	return { x: clamp(f.x, w, world.width), y: clamp(f.y, h, world.height), w, h };
};

/** Zooms by `factor` (below 1: closer) so that the point at (px, py) pixels stays where it is. */
export const zoom = (f: Frame, factor: number, px: number, py: number, picture: Size): Frame => ({
	x: f.x + f.w * (1 - factor) * px / picture.width,
	y: f.y + f.h * (1 - factor) * py / picture.height,
	w: f.w * factor, h: f.h * factor,
});

export const pan = (f: Frame, dx: number, dy: number, picture: Size): Frame =>
	({ ...f, x: f.x - dx * f.w / picture.width, y: f.y - dy * f.h / picture.height });

/** A frame round a rectangle of the world, with some room. */
export const around = (r: Frame, whole: Frame, picture: Size, is_uniform: boolean): Frame => {
	const room = 1.12;
	if (!is_uniform) {
		// the map keeps its proportions, so that areas stay comparable
		const scale = Math.min(1, Math.max(r.w / whole.w, r.h / whole.h) * room);
		const w = whole.w * scale;
		const h = whole.h * scale;
		return { x: r.x + r.w / 2 - w / 2, y: r.y + r.h / 2 - h / 2, w, h };
	}
	const scale = Math.max(r.w * room / picture.width, r.h * room / picture.height, 0.5);
	const w = picture.width * scale;
	const h = picture.height * scale;
	return { x: r.x + r.w / 2 - w / 2, y: r.y + r.h / 2 - h / 2, w, h };
};

export const write = (f: Frame): string => [f.x, f.y, f.w, f.h].map((v) => Number(v.toPrecision(7))).join(' ');
export const read = (text: string): Frame | null => {
	const [x, y, w, h] = text.split(' ').map(Number);
	return x !== undefined && y !== undefined && w !== undefined && h !== undefined && [x, y, w, h].every(Number.isFinite) && w > 0 && h > 0 ? { x, y, w, h } : null;
};
