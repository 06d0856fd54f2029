# A budget is a size, and one that is too small is told
"$MAKE_RUN" tree > tree.winnow
for budget in 0 x 5Q -1 10 20000000000G; do
	status=0
	winnow view tree.winnow --budget "$budget" -o tree.grains || status=$?
	echo "$status"
done
winnow view tree.winnow --budget 1M -o tree.grains
winnow view tree.winnow --budget none -o tree.grains
