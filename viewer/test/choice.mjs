// SPDX-License-Identifier: MIT
// The choice of this run (tests/README.md): part of a product, another part for each commit.
const choice = process.env.WN_CHOICE ?? 'all';

/** A number from 0 to n - 1, another for each key and for each choice. */
const turn = (key, n) => [...`${choice} ${key}`].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 65521, 7) % n;

/** One of the items, or all of them. */
export const oneOf = (key, items) => choice === 'all' ? items : [items[turn(key, items.length)]];
