# Options that say nothing
"$MAKE_RUN" tree > tree.winnow
for option in --depth=x --depth= --depth=-1 --color=red "--threshold=parallel_benefit>1"; do
	status=0
	winnow tree tree.winnow "$option" || status=$?
	echo "$status"
done
winnow tree tree.winnow --depth 1 --critical
