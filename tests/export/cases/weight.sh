# --weight says by what the critical path is; what there is not is told
"$MAKE_RUN" loop > loop.winnow
winnow export loop.winnow --format csv > plain.csv
winnow export loop.winnow --format csv --weight work | cmp - plain.csv
winnow export loop.winnow --format csv --weight time | awk -F, '
	NR == 2 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	NR > 2 { print $at["lineage"], $at["on_crit_path"] }'
for format in graphml svg csv; do
	winnow export loop.winnow --format $format --weight nothing || echo $?
done
#= stdout
#| P0.t0 1
#| P0.L0[0:2) 0
#| P0.L0[4:6) 0
#| P0.L0[8:10) 1
#| P0.S0[0] 1
#| P0.t1 0
#| P0.L0[2:4) 0
#| P0.L0[6:8) 0
#| P0.L0[10:12) 0
#| P0.S0[1] 0
#| 2
#| 2
#| 2
#= stderr
#| winnow export: loop.winnow: --weight 'nothing': the recording has no such weight; it has work, time; nothing exported
#| winnow export: loop.winnow: --weight 'nothing': the recording has no such weight; it has work, time; nothing exported
#| winnow export: loop.winnow: --weight 'nothing': the recording has no such weight; it has work, time; nothing exported
