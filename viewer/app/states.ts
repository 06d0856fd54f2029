// SPDX-License-Identifier: MIT
// What threads did: names and colours, the same in the bar, the timeline and its tables. Work is blue, the runtime's part
// warm, waits pale or violet, MPI green; told apart by lightness, too. Red is for severity and the critical path alone.
import { theme } from './paint.ts';

interface State {
	/** As in the report's categories. */
	name: string;
	title: string;
	/** On light and on dark paper. */
	colours: [string, string];
}

const state = (name: string, title: string, light: string, dark = light): State => ({ name, title, colours: [light, dark] });

/** By their number in the timeline (src/page/timeline.h). */
export const states: readonly State[] = [
	state('work', 'work', '#4477aa', '#5588bb'), state('serial', 'serial work', '#a3bfdc', '#7d9cbd'), state('creation', 'task creation', '#e2a23a'), state('dispatch', 'loop scheduling', '#b8641f'),
	state('scheduling', 'task scheduling', '#c9763d'), state('leaving', 'synchronisation', '#9a6db0'), state('mutex', 'lock contention', '#b0246c', '#cc4488'), state('idle_ready', 'idle, ready tasks', '#ecc9c4', '#6d4b4b'),
	state('idle_empty', 'idle, no ready work', '#dce1e8', '#39424e'), state('forking', 'fork/join', '#7f6a35', '#9c854a'), state('off_cpu', 'off the CPU', '#83888f', '#8d9298'), state('blocked', 'blocked', '#5e646c', '#6c737b'),
	state('recording', 'recording', '#c3b8cf', '#776d82'), state('paused', 'paused', '#dcdcdc', '#3a3f46'), state('lost', 'not recorded', '#d5cfc4', '#45413a'), state('mpi', 'MPI', '#2f8f8a', '#3fa8a2'),
	state('serial_idle', 'idle outside regions', '#edf0f3', '#272e37'),
];

export const colourOf = (s: State): string => s.colours[theme().is_dark ? 1 : 0];
export const stateColour = (name: string): string => { const s = states.find((x) => x.name === name); return s ? colourOf(s) : ''; };
