# The other way round, what was created has vanished, and ratios are inverse
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff --json a.winnow b.winnow > ab.json
winnow diff --json b.winnow a.winnow > ba.json
jq -n --slurpfile ab ab.json --slurpfile ba ba.json '
	$ab[0] as $x | $ba[0] as $y |
	($x.grains.only_a == $y.grains.only_b) and ($x.grains.only_b == $y.grains.only_a) and
	([$x.groups.created[].id] == [$y.groups.vanished[].id]) and
	([$x.groups.vanished[].id] == [$y.groups.created[].id]) and
	(($x.totals.work_ratio * $y.totals.work_ratio - 1) | fabs < 1e-4) and
	(($x.totals.speedup * $y.totals.speedup - 1) | fabs < 1e-4)'
#= stdout
#| true
