# What is no group is a usage error
"$MAKE_TRACE" tasks > a.winnow
for id in P7/F0 P0.t0.1 "" R; do
	status=0
	winnow similar a.winnow "$id" || status=$?
	echo $status
done
winnow similar --wl-h=1000 a.winnow || echo $?
winnow similar missing.winnow || echo $?
#= stdout
#| 2
#| 2
#| 2
#| 2
#| 2
#| 1
#= stderr
#| winnow similar: no grain is called 'P7'
#| winnow similar: that is a single grain, or all there is; groups have structure
#| winnow similar: '': that is drawn nowhere itself; its groups are, as in R/F0
#| winnow similar: 'R': that is drawn nowhere itself; its groups are, as in R/F0
#| winnow similar: --wl-h '1000': not a number from 0 to 100
#| winnow similar: missing.winnow: cannot open: No such file or directory
