# An id that is none: the nearest above it is named
"$MAKE_RUN" tree > tree.winnow
for id in P0.s0.1.2.7/L P0.s0.9 P0.t0/F0/A1 P0.t0/F7 X P0.t0/L/R1-2 "" ; do
	status=0
	winnow tree tree.winnow "$id" || status=$?
	echo "$status"
done
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#| 2
#= stderr
#| winnow tree: tree.winnow: no grain is called 'P0.s0.1.2.7'; the nearest above is P0.s0.1.2
#| winnow tree: tree.winnow: no grain is called 'P0.s0.9'; the root is R/F0
#| winnow tree: tree.winnow: 'P0.t0/F0/A1': there are not so many groups of one shape here; the nearest above is P0.t0/F0
#| winnow tree: tree.winnow: 'P0.t0/F7': it has 1 fork-join, counted from 0; the nearest above is P0.t0
#| winnow tree: tree.winnow: no grain is called 'X'; the root is R/F0
#| winnow tree: tree.winnow: 'P0.t0/L/R1-2': these members are no run here; the nearest above is P0.t0/L
#| winnow tree: tree.winnow: '': that is drawn nowhere itself; its groups are, as in R/F0; the root is R/F0
