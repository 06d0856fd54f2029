// SPDX-License-Identifier: MIT
import { signal } from '@preact/signals';
import { render } from 'preact';
import { open, type Container } from './container.ts';
import { Core } from './core.ts';
import { Dropped, Embedded, type ChunkSource } from './source.ts';

const container = signal<Container | null>(null);
const trouble = signal('');
const core = new Core();

const show = async (source: ChunkSource): Promise<void> => {
	try {
		container.value = await open(source);
		trouble.value = '';
	} catch (error) {
		trouble.value = `${source.name}: ${error instanceof Error ? error.message : String(error)}`;
	}
};

const App = () => (
	<main>
		<h1>Winnow</h1>
		{trouble.value && <p role="alert" id="trouble">{trouble.value}</p>}
		{!container.value && !trouble.value && <p id="empty">Drop a run.grains here: winnow view RECORDING -o run.grains writes one.</p>}
		{container.value && <p id="opened">{container.value.source.name}</p>}
	</main>
);

const start = (): void => {
	const root = document.getElementById('app');
	if (!root) return;
	render(<App />, root);
	addEventListener('dragover', (e) => e.preventDefault());
	addEventListener('drop', (e) => {
		e.preventDefault();
		const file = e.dataTransfer?.files[0];
		if (file) void show(new Dropped(file));
	});
	if (window.winnow.pieces.length > 0) void show(new Embedded(window.winnow));
	void core.call('memory');
};
start();
