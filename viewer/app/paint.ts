// SPDX-License-Identifier: MIT
// Records of shapes (src/page/shapes.h) to a canvas, in order. No decision about what is drawn is taken here.
import { flag, kind, type Picture } from '../core/page.ts';

export interface Theme {
	paper: string;
	ink: string;
	faint: string;
	line: string;
	critical: string;
	accent: string;
	border_fine: string;
	border_problem: string;
	/** Of groups that are open: many lie around each other. */
	frame_fine: string;
	frame_problem: string;
	/** [256] of grains, how bad: 0 is not at all. */
	ramp: string[];
	ramp_dim: string[];
	/** [256] of what holds several, which share of it is bad. */
	share: string[];
	share_dim: string[];
	/** Places, then all others, then none. */
	place: string[];
	place_dim: string[];
	font: string;
	is_dark: boolean;
}

type Rgb = [number, number, number];
export const rgb = (hex: string): Rgb => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)) as Rgb;
export const mix = (a: Rgb, b: Rgb, share: number): Rgb => [0, 1, 2].map((i) => Math.round((a[i] ?? 0) + ((b[i] ?? 0) - (a[i] ?? 0)) * share)) as Rgb;
const css = (c: Rgb): string => `rgb(${c.join(' ')})`;

/** Of places: blue to green, told apart by lightness, as warm colours are the runtime's and red is severity; as src/page/svg.c. */
export const bright = ['#4477aa', '#35998a', '#88bfe6', '#2f7446', '#203f66', '#a5cd98', '#5aafc4', '#8a8fd0'];

const make = (is_dark: boolean): Theme => {
	const paper = rgb(is_dark ? '#14181e' : '#ffffff');
	const fine = rgb(is_dark ? '#4a5767' : '#ccd3de');
	const between = (from: string, to: string): Rgb[] => Array.from({ length: 256 }, (_, i) => (i === 0 ? fine : mix(rgb(from), rgb(to), i / 255)));
	const ramp = is_dark ? between('#8a7a52', '#ff4d42') : between('#f3dca6', '#c01818');
	const share = is_dark ? between('#56585c', '#a9793a') : between('#e2dccf', '#dba044');
	const others = rgb(is_dark ? '#77818d' : '#a9b0b8');
	const place = [...bright.map(rgb), others, fine];
	const dim = (c: Rgb): string => css(mix(c, paper, 0.72));
	return {
		paper: css(paper), ink: is_dark ? '#e3e7ec' : '#1c2430', faint: is_dark ? '#9aa5b3' : '#5b6675', line: is_dark ? '#66717f' : '#8c97a5',
		critical: is_dark ? '#ff6b5e' : '#c4161c', accent: is_dark ? '#7db8f0' : '#0b57a4',
		border_fine: is_dark ? '#5b6a7a' : '#9aa8b8', border_problem: is_dark ? '#d9a25a' : '#b9741f', frame_fine: is_dark ? '#3c4755' : '#c9d1da', frame_problem: is_dark ? '#6b583c' : '#e6cfa6',
		ramp: ramp.map(css), ramp_dim: ramp.map(dim), share: share.map(css), share_dim: share.map(dim), place: place.map(css), place_dim: place.map(dim),
		is_dark, font: 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif',
	};
};

const themes: [Theme, Theme] = [make(false), make(true)];
export const theme = (): Theme => themes[matchMedia('(prefers-color-scheme: dark)').matches && !matchMedia('print').matches ? 1 : 0];

const made = new Map<string, Theme>();

/** Problems in the colour of a place, from pale to its own; -1: as they are. */
export const tinted = (t: Theme, colour: number): Theme => {
	const hex = bright[colour];
	if (hex === undefined) return t;
	const key = `${t.paper} ${colour}`;
	let out = made.get(key);
	if (!out) {
		const is_dark = t === themes[1], own = rgb(hex), paper = rgb(is_dark ? '#14181e' : '#ffffff');
		const ramp = t.ramp.map((fine, i) => (i === 0 ? fine : css(mix(mix(own, paper, 0.55), own, i / 255))));
		const dim = t.ramp_dim.map((fine, i) => (i === 0 ? fine : css(mix(mix(mix(own, paper, 0.55), own, i / 255), paper, 0.72))));
		const strong = css(mix(own, rgb(is_dark ? '#ffffff' : '#000000'), 0.2)), frame = css(mix(own, paper, 0.4));
		out = { ...t, ramp, share: ramp, ramp_dim: dim, share_dim: dim, border_problem: strong, frame_problem: frame };
		made.set(key, out);
	}
	return out;
};

export interface Look {
	by_place: boolean;
	is_structure: boolean;
	/** Of the canvas' pixels to those of the page. */
	scale: number;
}

const rounded = (c: CanvasRenderingContext2D, x: number, y: number, w: number, h: number): void => {
	c.beginPath();
	c.roundRect(x, y, Math.max(0, w), Math.max(0, h), Math.max(0, Math.min(6, w / 3, h / 3)));
};

const curve = (c: CanvasRenderingContext2D, x: number, y: number, w: number, h: number): void => {
	const bend = Math.min(Math.abs(h) / 2, 16) * Math.sign(h || 1);
	c.beginPath();
	c.moveTo(x, y);
	c.bezierCurveTo(x, y + bend, x + w, y + h - bend, x + w, y + h);
	c.stroke();
};

/** Paints all of a picture. The canvas has `width` x `height` pixels of the page. */
export const paint = (c: CanvasRenderingContext2D, p: Picture, width: number, height: number, look: Look, t: Theme): void => {
	c.setTransform(look.scale, 0, 0, look.scale, 0, 0);
	c.fillStyle = t.paper;
	c.fillRect(0, 0, width, height);
	paintOver(c, p, look, t);
};

/** The same over what is there, at the canvas' own place. */
export const paintOver = (c: CanvasRenderingContext2D, p: Picture, look: Look, t: Theme): void => {
	const f32 = new Float32Array(p.shapes);
	const u8 = new Uint8Array(p.shapes);
	const n = Math.floor(p.shapes.byteLength / 24);
	let fill = '';
	const set = (colour: string): void => { if (colour !== fill) { c.fillStyle = colour; fill = colour; } };
	for (let i = 0; i < n; i++) {
		const x = f32[6 * i] ?? 0, y = f32[6 * i + 1] ?? 0, w = f32[6 * i + 2] ?? 0, h = f32[6 * i + 3] ?? 0;
		const k = u8[24 * i + 20], flags = u8[24 * i + 21] ?? 0, ramp = u8[24 * i + 22] ?? 0, site = Math.min(9, u8[24 * i + 23] ?? 9);
		const is_dim = (flags & flag.dim) !== 0;
		const is_one = k === kind.grain || (k === kind.bar && !(flags & flag.more));
		const body = (look.by_place ? (is_dim ? t.place_dim : t.place)[site] : is_one ? (is_dim ? t.ramp_dim : t.ramp)[ramp] : (is_dim ? t.share_dim : t.share)[ramp]) ?? t.line;
		const border = flags & flag.critical && look.is_structure ? t.critical : flags & flag.problem ? t.border_problem : t.border_fine;
		switch (k) {
		case kind.grain:
		case kind.bar:
		case kind.closed:
			if (k === kind.closed && look.is_structure) {
				rounded(c, x + 0.5, y + 0.5, w - 1, h - 1);
				c.fillStyle = t.paper; c.fill(); fill = '';
				c.lineWidth = flags & flag.problem ? 1.8 : 1;
				c.strokeStyle = border; c.stroke();
				break;
			}
			set(body);
			// neighbours of one colour stay two where there is room for a gap
			c.fillRect(x, y, w > 3 ? w - 0.7 : w, h > 3 ? h - 0.7 : h);
			if (flags & flag.critical && w > 5 && h > 2) { set(t.critical); c.fillRect(x, y, 2, h > 3 ? h - 0.7 : h); }
			break;
		case kind.open:
			c.strokeStyle = flags & flag.problem ? t.frame_problem : t.frame_fine;
			c.lineWidth = flags & flag.problem && !look.is_structure ? 1.5 : 1;
			if (look.is_structure) { rounded(c, x + 0.5, y + 0.5, w - 1, h - 1); c.stroke(); }
			else c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
			if (flags & flag.problem && w > 12 && h > 12) {
				// not by colour alone
				set(look.is_structure ? t.frame_problem : t.border_problem);
				c.beginPath(); c.moveTo(x + w, y); c.lineTo(x + w - 7, y); c.lineTo(x + w, y + 7); c.fill();
			}
			break;
		case kind.card:
			c.strokeStyle = border;
			c.lineWidth = flags & flag.problem ? 1.6 : 1;
			for (let k2 = 2; k2 >= 0; k2--) {
				rounded(c, x + 0.5 + 3 * k2, y + 0.5 - 3 * k2, w - 1, h - 1);
				c.fillStyle = t.paper; c.fill(); c.stroke();
			}
			fill = '';
			break;
		case kind.strip:
			c.strokeStyle = flags & flag.problem ? t.border_problem : t.line;
			c.lineWidth = 0.8;
			c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
			break;
		case kind.fork:
		case kind.join:
			c.beginPath();
			c.ellipse(x + w / 2, y + h / 2, w / 2, h / 2, 0, 0, 2 * Math.PI);
			c.fillStyle = t.paper; c.fill(); fill = '';
			c.strokeStyle = flags & flag.critical ? t.critical : t.ink;
			c.lineWidth = 1.2; c.stroke();
			break;
		case kind.line:
		case kind.bend:
		case kind.dependence:
			// of what is selected: to what holds the other one in short dashes
			c.strokeStyle = flags & flag.critical ? t.critical : flags & flag.selected ? t.accent : t.line;
			c.lineWidth = flags & (flag.critical | flag.selected) ? 2 : 1;
			if (k === kind.dependence || flags & flag.rogue) c.setLineDash(flags & flag.more ? [2, 4] : [4, 3]);
			if (k === kind.line) { c.beginPath(); c.moveTo(x, y); c.lineTo(x + w, y + h); c.stroke(); }
			else curve(c, x, y, w, h);
			if (k === kind.dependence && flags & flag.selected) { c.setLineDash([]); c.beginPath(); c.moveTo(x + w - 4, y + h - 6); c.lineTo(x + w, y + h); c.lineTo(x + w + 4, y + h - 6); c.stroke(); }
			c.setLineDash([]);
			break;
		default:
		}
		if (flags & flag.rogue && (k ?? 99) < kind.fork && w > 4 && h > 4) {
			c.setLineDash([3, 2]); c.strokeStyle = t.ink; c.lineWidth = 1;
			c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
			c.setLineDash([]);
		}
		if (flags & flag.selected && k !== kind.dependence) {
			c.strokeStyle = t.accent; c.lineWidth = 2.5;
			c.strokeRect(x - 1, y - 1, Math.max(3, w + 2), Math.max(3, h + 2));
		}
	}
	for (const s of p.texts) {
		c.font = `${s.style > 1 ? '600 ' : ''}${s.style === 1 ? 10 : s.style === 3 ? 13 : 11}px ${t.font}`;
		c.textAlign = s.anchor === 0 ? 'left' : s.anchor === 1 ? 'center' : 'right';
		c.lineWidth = 3; c.lineJoin = 'round';
		c.strokeStyle = t.paper;
		c.strokeText(s.text, s.x, s.y);
		c.fillStyle = s.style === 1 ? t.faint : s.style === 2 ? t.accent : t.ink;
		c.fillText(s.text, s.x, s.y);
	}
};

/** The innermost node that is drawn at a pixel. */
export const nodeAt = (p: Picture, px: number, py: number): number | null => {
	const f32 = new Float32Array(p.shapes);
	const u32 = new Uint32Array(p.shapes);
	const u8 = new Uint8Array(p.shapes);
	for (let i = Math.floor(p.shapes.byteLength / 24) - 1; i >= 0; i--) {
		if ((u8[24 * i + 20] ?? 99) >= kind.line) continue;
		const x = f32[6 * i] ?? 0, y = f32[6 * i + 1] ?? 0;
		if (px >= x && py >= y && px < x + (f32[6 * i + 2] ?? 0) && py < y + (f32[6 * i + 3] ?? 0) && u32[6 * i + 4] !== 0xffffffff)
			return u32[6 * i + 4] ?? null;
	}
	return null;
};
