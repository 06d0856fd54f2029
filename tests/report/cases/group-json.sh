# --json of a group: its totals, problems and places, and nothing of the whole run
"$MAKE_TRACE" loop > loop.winnow
winnow report loop.winnow --group P0.t0/F0 --json > group.json
jq -c "[.group, .totals, .time, .advice, .threads, (.sites | map([.kind, .count, .work_ns])), (.problems | map(select(.count > 0) | [.type, .count]))]" group.json
# the parts of the root are the root
total() { winnow report loop.winnow --group "$1" --json | jq ".totals.$2"; }
for key in work_ns grains; do
	[ "$(total R/F0 "$key")" = $(($(total P0.t0/L "$key") + $(total P0.t1/L "$key"))) ] || echo "$key"
done
