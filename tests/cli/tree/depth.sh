# --depth opens so many levels below a node
"$MAKE_RUN" tree > tree.winnow
for depth in 0 1 2; do
	winnow tree tree.winnow P0.t0/F0 --depth "$depth"
done
