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
