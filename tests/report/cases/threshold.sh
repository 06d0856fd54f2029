# --threshold moves what counts as a problem
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
winnow report --json --threshold "chunk_work_balance>1.5" loop.winnow | jq -c ".problems[] | select(.type == \"chunk_work_balance\") | [.condition, .count]"
#= stdout
#| ["> 1.5",6]
