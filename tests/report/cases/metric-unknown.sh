# What no grain has is null, and named as not measured
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --json tasks.winnow --metric "x = locked_ns / exec_ns" --bad high --threshold 1 > report.json
jq -c '(.problems[] | select(.type == "x")), .sites[0].problems.x, .metrics[0].values.count, (.fidelity[] | select(.construct == "x") | .note)' report.json
#= stdout
#| {"type":"x","condition":"> 1","count":null,"on_critical_path":null,"work_ns":null}
#| null
#| 0
#| "not measured: no grain has a value of it"
