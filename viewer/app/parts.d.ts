// What the build puts in.
declare module 'columns:names' {
	/** By number: src/grains/columns.def. */
	const names: Readonly<Record<number, string>>;
	export default names;
}
declare module 'columns:folds' {
	const rules: string[];
	export default rules;
}
