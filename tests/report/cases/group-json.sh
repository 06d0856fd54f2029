# --json of a group: its totals, problems and places, and nothing of the whole run
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --group P0.t0/F0 --json > group.json
jq -c "[.group, .totals, .time, .advice, .threads, (.sites | map([.kind, .count, .work_ns])), (.problems | map(select(.count > 0) | [.type, .count]))]" group.json
# the parts of the root are the root
total() { winnow report loop.winnow --group "$1" --json | jq ".totals.$2"; }
for key in work_ns grains; do
	[ "$(total R/F0 "$key")" = $(($(total P0.t0/L "$key") + $(total P0.t1/L "$key"))) ] || echo "$key"
done
#= stdout
#| ["P0.t0/F0",{"grains":3,"implicit_tasks":0,"work_ns":3000000,"grain_work_ns":3000000,"span_ns":1000000,"parallelism":3,"creation_ns":1500,"sync_ns":0},null,null,null,[["chunk",null,3000000]],[]]
