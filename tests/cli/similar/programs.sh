#: classes
# Groups of the same shape, and what is near one of them
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
OMP_NUM_THREADS=2 winnow record -o fib.winnow ./fib 12 4 > /dev/null 2> /dev/null
# a full binary tree of tasks: 2, 4, 8 alike
winnow similar --json fib.winnow | jq -c '.schema, [.classes[] | [.count, .grains, (.members | length)]] == [[2, 15, 2], [4, 7, 4], [8, 3, 8]]'
winnow similar --json fib.winnow P0.s0.1.1.1/L > one.json
jq -c '[.group, .classes[0].count, .rounds]' one.json
jq -c '.classes[0].members | map(.id) | index("P0.s0.1.1.1/L") != null' one.json
jq -c '.nearest | (length > 0) and (map(.similarity) | . == (sort | reverse)) and all(.[]; .similarity > 0 and .similarity < 1)' one.json
winnow similar --json --wl-h 0 fib.winnow P0.s0.1.1.1/L | jq -c '.rounds, (.nearest[0].similarity > 0.5)'
winnow similar fib.winnow | head -n 2 | tail -n 1 | awk '{ print $1 }'
winnow similar fib.winnow P0.s0.1.1.1/L | grep -c "P0.s0.1"
#= stdout
#| "winnow.similar/1"
#| true
#| ["P0.s0.1.1.1/L",4,5]
#| true
#| true
#| 0
#| true
#| alike
#| 7
#: unknown
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
#| winnow similar: that is a single grain or the whole run; only groups have a structure
#| winnow similar: '': that is drawn nowhere itself; its groups are, as in R/F0
#| winnow similar: 'R': that is drawn nowhere itself; its groups are, as in R/F0
#| winnow similar: --wl-h '1000': not a number from 0 to 100
#| winnow similar: missing.winnow: cannot open: No such file or directory
#: hostile
# Damaged and hostile recordings: no control character, no crash
for run in damaged hostile killed nothing; do
	"$MAKE_TRACE" $run > a.winnow
	winnow similar a.winnow > out 2> err || test $? -eq 3
	LC_ALL=C grep -c "[[:cntrl:]]" out || true
	winnow similar a.winnow R/F0 > out 2> err || test $? -le 3
done
echo no > text
winnow similar text
#= exit 1
#= stdout
#| 0
#| 0
#| 0
#| 0
#= stderr glob
#| winnow similar: text: *
