// SPDX-License-Identifier: MIT
import type { Run } from './state.ts';

export const Picture = ({ run }: { run: Run }) => <section class="picture" aria-label="picture" data-nodes={run.report.graph['nodes'] as number} />;
