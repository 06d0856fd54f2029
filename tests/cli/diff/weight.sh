# --weight compares paths by something else, too; both must have it
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > a.winnow
"$MAKE_TRACE" loop > b.winnow
winnow diff a.winnow a.winnow --weight time --raw | grep ", time"
winnow diff a.winnow b.winnow --weight time --json | jq -c '.totals | [.weight, .work_weight_ratio, .span_weight_ratio]'
winnow diff a.winnow b.winnow --json | jq -c '.totals | [.weight, .work_weight_ratio, .span_weight_ratio]'
winnow diff a.winnow b.winnow --weight instructions || echo $?
winnow diff a.winnow b.winnow a.winnow --weight time || echo $?
