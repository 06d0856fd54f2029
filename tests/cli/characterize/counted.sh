# What the recorder counts becomes properties: so many for each tick of the clock, of every task
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
command -v gcc > /dev/null || { echo "gcc is missing"; exit 77; }
cp "$COMPILED/bench-fib.c.gcc" fib
export OMP_NUM_THREADS=2
export WINNOW_COUNTERS=simulated:instructions=6,mem_reads=2,mem_writes=3,stack_reads=1,stack_writes=1,footprint_addresses=1
for n in 16 18 20; do
	LD_PRELOAD=$SIMULATED winnow record -o $n.winnow ./fib $n 4 > /dev/null 2> /dev/null
done
# one of them without counters: it lacks what the others have
unset WINNOW_COUNTERS
winnow record -o plain.winnow ./fib 17 4 > /dev/null 2> /dev/null
winnow characterize --json --weight work plain.winnow 16.winnow 18.winnow 20.winnow > a.json
jq -c '[.cases[] | [.name, .left_out, .lacks]]' a.json
jq -c '[.cases[1:][].properties | (.memory_reads > 0), .memory_reads == 2 * .stack_reads, .memory_writes == 3 * .stack_writes, .instructions == 6 * .footprint] | all' a.json
jq -c '[.properties[] | select(.left_out) | .name]' a.json
#= stdout
#| [["fib 17 4","missing","footprint"],["fib 16 4",null,null],["fib 18 4",null,null],["fib 20 4",null,null]]
#| true
#| ["tasks","join_degree"]
