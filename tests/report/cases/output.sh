#: closed-pipe
# A reader that goes away is no news
"$MAKE_TRACE" killed > killed.winnow
trap "" PIPE
for form in --color=never --json; do
	{
		sleep 0.2
		status=0
		winnow report "$form" killed.winnow || status=$?
		echo $status >&2
	} 2>> status | true
done
sort -u status
#= stdout
#| 1
#: full
# A full disk is a failure, said once
test -w /dev/full || { echo "/dev/full is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
status=0
winnow report loop.winnow > /dev/full || status=$?
winnow report --json loop.winnow > /dev/full || status=$status$?
echo $status
#= stdout
#| 11
#= stderr
#| winnow report: standard output: No space left on device
#| winnow report: standard output: No space left on device
#: json
# --json prints one object that jq reads
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
winnow report --json loop.winnow | jq -c "[.schema, .program.command, .graph.chunks, .totals.creation_ns, .aggregate.groups]"
#= stdout
#| ["winnow.report/1",["./fake","--size","10"],6,0,5]
#: text
# The text names what costs most, and the made-up places by their addresses
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow | head -n 3
#= stdout
#| ./fake --size 10: 4.00 ms on 2 threads, 6 grains; 1.22 of 2 cores busy
#| Worst: load imbalance (loop) at 0x2000. Fixing it could save about 1.12 ms (35.7 % of the time; 1.01
#| to 1.24 ms).
