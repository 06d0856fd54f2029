# --json prints one object that jq reads
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > loop.winnow
winnow report --json loop.winnow | jq -c "[.schema, .program.command, .graph.chunks, .totals.creation_ns, .aggregate.groups]"
#= stdout
#| ["winnow.report/1",["./fake","--size","10"],6,0,5]
