// What the build puts in: the worker as one text, the core as bytes.
declare module 'worker:text' {
	const text: string;
	export default text;
}
declare module '*.wasm' {
	const bytes: Uint8Array<ArrayBuffer>;
	export default bytes;
}
declare module 'columns:names' {
	/** By number: src/grains/columns.def. */
	const names: Readonly<Record<number, string>>;
	export default names;
}
