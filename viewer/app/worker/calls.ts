// SPDX-License-Identifier: MIT
// What the page may ask for. Files beside this one add theirs.
import type { Container, Index } from '../container.ts';
import { directory, type Part } from '../directory.ts';
import type { Bytes } from '../source.ts';
import { asking } from './asking.ts';
import { load } from './memory.ts';

export interface Opened {
	container: Container;
	parts: Part[];
}

export type Answerer = (...args: never[]) => unknown;

export const calls = new Map<string, Answerer>();
let tell: (o: Promise<Opened>) => void = () => undefined;
/** The page may ask before it has opened anything: that waits. */
const opened = new Promise<Opened>((done) => { tell = done; });
opened.catch(() => undefined);
const at_opening: ((o: Opened) => Promise<void> | void)[] = [];

/** Something to be done once, when a container is open, before anything else is answered. */
export const whenOpened = (f: (o: Opened) => Promise<void> | void): void => { at_opening.push(f); };

export const run = (): Promise<Opened> => opened;

let tellEarly: (o: Promise<Opened>) => void = () => undefined;
const early = new Promise<Opened>((done) => { tellEarly = done; });
early.catch(() => undefined);
/** The same before what is done at opening, for what needs none of that and is seen first. */
export const directoryOfRun = (): Promise<Opened> => early;

export const open = async (core: Bytes, head: Bytes, index: Index): Promise<void> => {
	const first = (async () => {
		await load(core);
		const container: Container = { source: asking, head, index };
		return { container, parts: await directory(container) };
	})();
	tellEarly(first);
	tell((async () => {
		const o = await first;
		for (const f of at_opening) await f(o);
		return o;
	})());
	await opened;
};
