# Runs by their command lines or names; what was not measured is null, and said
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for run in loop tasks producer; do "$MAKE_TRACE" $run > $run.winnow; done
winnow characterize --weight work --clusters 2 --json loop.winnow t=tasks.winnow producer.winnow producer.winnow > a.json
jq -c '.schema, .analysis, .weight, [.cases[] | [.name, .file]]' a.json
jq -c '[.properties[] | [.name, .left_out]]' a.json
jq -c "$NUMBERS"' | .cases[1].properties' a.json
jq -c '.cases[2].scores == .cases[3].scores, .cases[2].cluster == .cases[3].cluster' a.json
winnow report --json tasks.winnow | jq -c '[.totals.span_ns, .totals.work_ns, .graph.grains]'
winnow characterize loop.winnow tasks.winnow | grep -c "winnow count measures"
winnow characterize --weight no loop.winnow tasks.winnow || echo $?
#= stdout
#| "winnow.characterize/1"
#| "done"
#| "work"
#| [["fake --size 10","loop.winnow"],["t","tasks.winnow"],["fake 10","producer.winnow"],["fake 10 (2)","producer.winnow"]]
#| [["tasks",null],["footprint","missing"],["memory_reads","missing"],["memory_writes","missing"],["stack_reads","missing"],["stack_writes","missing"],["instructions","missing"],["join_degree",null],["critical_path",null],["work",null]]
#| {"tasks":200,"footprint":null,"memory_reads":null,"memory_writes":null,"stack_reads":null,"stack_writes":null,"instructions":null,"join_degree":200,"critical_path":250000,"work":390800}
#| true
#| true
#| [250000,390800,200]
#| 8
#| 2
#= stderr
#| winnow characterize: --weight 'no': no run has it; all have work, and time
