// What the build puts in: the worker as one text, the core as bytes.
declare module 'worker:text' {
	const text: string;
	export default text;
}
declare module 'core:text' {
	/** The core's bytes, one in each character. */
	const text: string;
	export default text;
}
declare module 'columns:names' {
	/** By number: src/grains/columns.def. */
	const names: Readonly<Record<number, string>>;
	export default names;
}
