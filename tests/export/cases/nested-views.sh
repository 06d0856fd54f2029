# One document for the structure and one for each problem that was measured
"$MAKE_RUN" loop > loop.winnow
winnow export loop.winnow -o loop.graphml --nested --view all
ls
mkdir one
winnow export loop.winnow -o one/some.xml --format graphml --nested --view chunk_work_balance --flat-red
ls one
grep -c "Fill color=\"#FF0000\"" one/some.xml-chunk_work_balance-problem.graphml
grep -o "Fill color=\"#FF..00\"" loop-chunk_work_balance-problem.graphml | sort | uniq -c
#= stdout
#| loop-chunk_work_balance-problem.graphml
#| loop-chunk_work_cpu_balance-problem.graphml
#| loop-instantaneous_parallelism_max-problem.graphml
#| loop-instantaneous_parallelism_median-problem.graphml
#| loop-instantaneous_parallelism_min-problem.graphml
#| loop-parallel_benefit-problem.graphml
#| loop.graphml
#| loop.winnow
#| some.xml-chunk_work_balance-problem.graphml
#| 6
#|       6 Fill color="#FF8000"
#= stderr
#| winnow export: loop.winnow: sibling_work_balance was not measured; no view of it
