# --format taskgraph: circles of as much area as grains weigh, the same bytes each time
for run in tree loop hostile depend; do
	"$MAKE_RUN" $run > $run.winnow 2> /dev/null || continue
	winnow export $run.winnow --format taskgraph -o $run.svg
	winnow export $run.winnow --format taskgraph | cmp - $run.svg
	xmllint --noout $run.svg
	echo "$run: $(grep -c '<circle class="t' $run.svg) circles, $(grep -c '<path class="[fj]' $run.svg) forks and joins, $(sed -n '/e critical/,/<.g>/p' $run.svg | grep -c '<path') red edges"
done
winnow export tree.winnow --format taskgraph
winnow export tree.winnow --format taskgraph --weight time | sed -n 's/.*\(<text.*5 grains.*\)/\1/p'
winnow export tree.winnow --format taskgraph --max-nodes 10 | grep -c '<circle class="r'
winnow export tree.winnow --format taskgraph --form fragments || echo $?
