# A metric of the user is a column, a problem type and a row of its own
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --json tasks.winnow --metric "cost = creation_ns / work_ns" --bad high --threshold 300% --metric "twice = 2 * cost" --propagate mean > report.json
jq -c '.metrics[]' report.json
jq -c '.problems[] | select(.type == "cost")' report.json
jq -c '.sites[] | [.grains, .problems.cost]' report.json
winnow report tasks.winnow --metric "cost = creation_ns / work_ns" --bad high --threshold 3.5 | sed -n '/^Problem/,/^Limitations/p'
winnow export tasks.winnow --format csv --metric "cost = creation_ns / work_ns" | sed -n '2,4p' | cut -d, -f3,45
#= stdout
#| {"name":"cost","expression":"creation_ns / work_ns","bad":"high","threshold":3,"propagate":"max","values":{"count":200,"missing":0,"sum":796.008,"mean":3.98004,"min":0.008,"median":4,"p95":4,"max":4}}
#| {"name":"twice","expression":"2 * cost","bad":"none","threshold":null,"propagate":"mean","values":{"count":200,"missing":0,"sum":1592.02,"mean":7.96008,"min":0.016,"median":8,"p95":8,"max":8}}
#| {"type":"cost","condition":"> 3","count":199,"on_critical_path":0,"work_ns":39800}
#| [199,199]
#| [2,0]
#| [1,0]
#| Problem grains
#|   grains   of all  critical  that                            condition
#|      199   99.5 %         0  cost more to make than they do  parallel_benefit < 1
#|      200  100.0 %         0  have a far longer sibling       sibling_work_balance > 2
#|      199   99.5 %         0  are above the threshold         cost > 3.5
#|
#| Your metrics
#|   metric  grains  least  median  mean  most  is
#|   cost       200  0.008       4  3.98     4  creation_ns / work_ns
#|
#| Limitations of this recording
#| kind,cost
#| implicit,
#| task,0.008
