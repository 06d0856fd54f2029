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
