// SPDX-License-Identifier: MIT
// What several pages need: how wide they are, and ranges of time in the address.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { getNumber } from '../state.ts';
import { time } from '../units.ts';

/** Nanoseconds since the start of the recording. */
export interface Range {
	from: number;
	to: number;
}

/** The width of an element in pixels, now and whenever it changes. */
export const useWidth = <T extends Element>(otherwise: number) => {
	const ref = useRef<T>(null);
	const [width, setWidth] = useState(otherwise);
	useLayoutEffect(() => {
		const element = ref.current;
		if (!element) return undefined;
		const measure = (): void => setWidth(Math.max(120, Math.floor(element.getBoundingClientRect().width)));
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	return { ref, width };
};

/** The range that the address names, inside [0, end]; null if it names none. */
export const chosenRange = (end: number): Range | null => {
	const from = Math.min(end, Math.max(0, getNumber('from', NaN)));
	const to = Math.min(end, Math.max(0, getNumber('to', NaN)));
	return from < to ? { from, to } : null;
};

/** Whole nanoseconds, so that an address stays short. */
export const put_range = (r: Range | null): Record<string, number | null> =>
	r ? { from: Math.floor(r.from), to: Math.ceil(r.to) } : { from: null, to: null };

/** Grains that ran at some time of it. */
export const whereOf = (r: Range): string => `begin_ns < ${Math.ceil(r.to)} and end_ns > ${Math.floor(r.from)}`;

export const rangeText = (r: Range): string => `${time(r.from)} to ${time(r.to)}`;
