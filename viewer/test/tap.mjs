// SPDX-License-Identifier: MIT
// What tests print: TAP, as tests/tap.h.
let n = 0, n_failed = 0;

/** One line; `against` is what speaks against it, nothing if it is empty. */
export const result = (sentence, against = []) => {
	const list = [against].flat().filter((x) => x !== '' && x !== null && x !== undefined && x !== false);
	if (list.length > 0) n_failed++;
	console.log(`${list.length > 0 ? 'not ' : ''}ok ${++n} - ${sentence}`);
	for (const line of list.flatMap((x) => String(x).split('\n')).slice(0, 20)) console.log(`# ${line.slice(0, 300)}`);
};

export const equal = (sentence, found, expected) =>
	result(sentence, JSON.stringify(found) === JSON.stringify(expected) ? [] : [`found    ${JSON.stringify(found)}`, `expected ${JSON.stringify(expected)}`]);

/** Runs it; what it throws is a line that says so. */
export const attempt = async (sentence, work) => {
	try { result(sentence, await work() ?? []); } catch (error) { result(sentence, String(error?.message ?? error)); }
};

export const done = () => {
	console.log(`1..${n}`);
	process.exitCode = n_failed > 0 ? 1 : 0;
};
