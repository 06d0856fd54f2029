# Metrics of the user have a value on each node, by their rule
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --depth 3 --json --metric "cost = creation_ns / work_ns" --metric "worst = cost" --bad high --metric "usual = cost" --propagate median --metric "all = work_ns" --propagate sum --metric "own = cost" --propagate none | jq -c '.nodes[] | [.id, .kind, .metrics.cost, .metrics.worst, .metrics.usual, .metrics.all, .metrics.own]'
COLUMNS=120 winnow tree tree.winnow --depth 2 --metric "cost = creation_ns / work_ns" --metric "worst = cost" --bad high
