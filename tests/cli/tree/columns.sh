# No line is wider than COLUMNS
"$MAKE_RUN" hostile > hostile.winnow
for columns in 20 80 95 120 500; do
	COLUMNS=$columns winnow tree hostile.winnow --depth 9 | awk -v columns=$columns "
		length > most { most = length }
		END { print (columns < 80 ? most <= 80 : columns > 120 ? most <= 120 : most <= columns) }"
done | sort -u
#= stdout
#| 1
