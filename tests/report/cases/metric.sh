# A metric of the user is a column, a problem type and a row of its own
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --json tasks.winnow --metric "cost = creation_ns / work_ns" --bad high --threshold 300% --metric "twice = 2 * cost" --propagate mean > report.json
jq -c '.metrics[]' report.json
jq -c '.problems[] | select(.type == "cost")' report.json
jq -c '.sites[] | [.grains, .problems.cost]' report.json
winnow report tasks.winnow --metric "cost = creation_ns / work_ns" --bad high --threshold 3.5 | sed -n '/^Problem/,/^What is/p'
winnow export tasks.winnow --format csv --metric "cost = creation_ns / work_ns" | sed -n '2,4p' | cut -d, -f3,45
