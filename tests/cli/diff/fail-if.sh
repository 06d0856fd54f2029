# Conditions over the numbers of the comparison
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
winnow diff a.winnow a.winnow --fail-if "work_ratio > 1" --fail-if "changed_groups > 0 or problems.work_deviation > 0" > /dev/null
status=0
winnow diff a.winnow b.winnow --fail-if "only_b > 100" > /dev/null || status=$?
echo $status
status=0
winnow diff a.winnow b.winnow --fail-if "no_such > 100" > /dev/null || status=$?
echo $status
status=0
winnow diff a.winnow b.winnow --fail-if "only_b >" > /dev/null || status=$?
echo $status
#= stdout
#| 4
#| 2
#| 2
#= stderr glob
#| winnow diff: --fail-if 'only_b > 100' holds: *
#| winnow diff: --fail-if 'no_such > 100': *no_such*
#| winnow diff: --fail-if 'only_b >': *
