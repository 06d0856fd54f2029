# A budget is a size, and one that is too small is told
"$MAKE_RUN" tree > tree.winnow
for budget in 0 x 5Q -1 10 20000000000G; do
	status=0
	winnow view tree.winnow --budget "$budget" -o tree.grains || status=$?
	echo "$status"
done
winnow view tree.winnow --budget 1M -o tree.grains
winnow view tree.winnow --budget none -o tree.grains
#= stdout glob
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| tree.grains: 0.0 MB, * grains
#| tree.grains: 0.0 MB, * grains
#= stderr glob
#| winnow view: --budget '0': not a size like 64M, and not none
#| winnow view: --budget 'x': not a size like 64M, and not none
#| winnow view: --budget '5Q': not a size like 64M, and not none
#| winnow view: --budget '-1': not a size like 64M, and not none
#| winnow view: tree.winnow: the budget is too small for the groups alone, which need * bytes; nothing written
#| winnow view: --budget '20000000000G': not a size like 64M, and not none
