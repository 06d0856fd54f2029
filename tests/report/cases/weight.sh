# --weight time is the burdened span with all that making grains cost; work is the default, and what there is not is told
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
winnow report tasks.winnow --json > work.json
winnow report tasks.winnow --json --weight time > time.json
winnow report tasks.winnow --json --weight work | jq -c .totals.weight
jq -c .totals.weight work.json time.json
test "$(jq .totals.weight.span time.json)" = "$(jq .totals.span_burdened_ns work.json)"
test "$(jq -c '.totals | del(.weight)' time.json)" = "$(jq -c '.totals | del(.weight)' work.json)"
winnow report tasks.winnow --weight time --raw | sed -n '/by time/,/^$/p'
winnow report tasks.winnow --weight nothing || echo $?
winnow report tasks.winnow --weight time --group R || echo $?
#= stdout
#| {"name":"work","unit":"ns","work":390800,"span":250000,"parallelism":1.5632,"critical_grains":0,"unknown_grains":0}
#| null
#| {"name":"time","unit":"ns","work":550800,"span":410000,"parallelism":1.34341,"critical_grains":0,"unknown_grains":0}
#| Parallelism by time
#|   work                       550800   total weight on all threads
#|   span                       410000   weight of the heaviest path, which has to run in order
#|   work / span                  1.34   exposed parallelism
#|   critical path                   0   grains on that path, which is the critical path of this report
#|
#| 2
#| 2
#= stderr
#| winnow report: --weight 'nothing': the recording has no such weight; it has work, time
#| winnow report: --group: --weight is about the whole run
