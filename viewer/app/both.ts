// SPDX-License-Identifier: MIT
// One script for both threads, as they share much: the page begins, the worker waits for calls.
import { start } from './main.tsx';
import { serve } from './worker/main.ts';

if (globalThis.document) start();
else self.onmessage = serve;
