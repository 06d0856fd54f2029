# Both runs as one: a table of grains and a drawing of groups, with what --json counts
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
"$MAKE_TRACE" regions > c.winnow
for pair in "a b" "b a" "a c" "c b" "b b"; do
	one=${pair% *}.winnow other=${pair#* }.winnow
	winnow diff --format csv "$one" "$other" > union.csv
	winnow diff "$one" "$other" -o union.graphml
	winnow diff --json "$one" "$other" > diff.json
	# grains only: implicit tasks are in the table, and in no count
	awk -F, 'NR > 1 && $3 != "implicit" { n[$2]++ } END { print n["same"] + 0, n["vanished"] + 0, n["created"] + 0 }' union.csv > table
	jq -r '.grains | "\(.matched) \(.only_a) \(.only_b)"' diff.json | cmp - table
	awk '/<node / { open++; folder = /folder/ } /<data key="d3">/ { split($0, part, /[<>]/); n[part[3], folder]++ }
		END { print n["same", 0] + 0, n["vanished", 0] + 0, n["created", 0] + 0 }' union.graphml | cmp - table
	if command -v xmllint > /dev/null; then
		xmllint --noout --relaxng "$PROGRAMS/../../export/union.rng" union.graphml 2>&1 | grep -v ' validates$' || true
	fi
	# every edge leads from a node to a node
	sed -n 's/.*<node id="\([^"]*\)".*/\1/p' union.graphml | sort > nodes
	sed -n 's/.*<edge .*source="\([^"]*\)" target="\([^"]*\)".*/\1\n\2/p' union.graphml | sort -u | comm -23 - nodes
	sort -u nodes | cmp - nodes
done
# work deviation is B by A
awk -F, 'NR > 1 && $12 != "" && ($11 / $10 - $12 > 1e-4 || $12 - $11 / $10 > 1e-4)' union.csv
winnow diff --format csv a.winnow a.winnow | head -n 3
winnow diff --format csv --group P0.L0 a.winnow a.winnow | wc -l
winnow diff a.winnow b.winnow --format csv -o b.winnow || echo $?
winnow diff a.winnow b.winnow -o none.pdf || echo $?
winnow diff a.winnow b.winnow --format graphml --max-nodes 5 || echo $?
test ! -e none.pdf
#= stdout
#| lineage,status,kind,function,file,line,group,id_a,id_b,work_a_ns,work_b_ns,work_deviation
#| P0.t0,same,implicit,,,,P0,1,1,49100,49100,1
#| P0.L0[0:2),same,chunk,,,,P0.L0,2,2,1000000,1000000,1
#| 7
#| 2
#| 2
#| 1
#= stderr
#| winnow diff: b.winnow: is a recording; nothing exported
#| winnow diff: which format? --format graphml or csv
#| winnow diff: 209 nodes are too many for a drawing; raise --max-nodes, or use --group or --format csv
