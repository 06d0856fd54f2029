# Groups of one shape, and what is near one of them
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
