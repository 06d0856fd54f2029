# --weight compares paths by something else, too; both must have it
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > a.winnow
"$MAKE_TRACE" loop > b.winnow
winnow diff a.winnow a.winnow --weight time --raw | grep ", time"
winnow diff a.winnow b.winnow --weight time --json | jq -c '.totals | [.weight, .work_weight_ratio, .span_weight_ratio]'
winnow diff a.winnow b.winnow --json | jq -c '.totals | [.weight, .work_weight_ratio, .span_weight_ratio]'
winnow diff a.winnow b.winnow --weight instructions || echo $?
winnow diff a.winnow b.winnow a.winnow --weight time || echo $?
#= stdout
#|   work, time                    550800  550800   1.00
#|   span, time                    410000  410000   1.00
#|   work / span, time               1.34    1.34   1.00
#| ["time",6.99383,2.56]
#| [null,null,null]
#| 2
#| 2
#= stderr
#| winnow diff: --weight 'instructions': the recording has no such weight; it has work, time
#| winnow diff: --weight compares two recordings, and no more
