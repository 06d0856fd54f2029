# A file of metrics says the same as options do, thresholds too
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
cat > my.metrics << 'END'
# what tasks cost
metric cost = creation_ns / work_ns
    bad high
    threshold 300%
metric twice = 2 * cost
    propagate mean
threshold sibling_work_balance > 200
END
winnow report --json tasks.winnow --metrics my.metrics > file.json
winnow report --json tasks.winnow --metric "cost=creation_ns/work_ns" --bad high --threshold 3 --metric "twice = 2*cost" --propagate mean --threshold "sibling_work_balance>200" > options.json
jq -c '.problems[] | select(.count > 0)' file.json
jq 'del(.metrics[].expression)' file.json > a
jq 'del(.metrics[].expression)' options.json > b
cmp a b
#= stdout
#| {"type":"parallel_benefit","condition":"< 1","count":199,"on_critical_path":0,"work_ns":39800}
#| {"type":"cost","condition":"> 3","count":199,"on_critical_path":0,"work_ns":39800}
