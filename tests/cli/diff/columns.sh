# COLUMNS is the width, kept within 80 and 120; colour only where it is asked for
"$MAKE_TRACE" tasks > a.winnow
"$MAKE_TRACE" regions > b.winnow
for columns in 20 80 95 120 500; do
	COLUMNS=$columns winnow diff a.winnow b.winnow | awk -v columns=$columns "
		length > most { most = length }
		END { print (columns < 80 ? most <= 80 : columns > 120 ? most <= 120 : most <= columns) }"
done | sort -u
winnow diff a.winnow b.winnow | grep -c "$(printf "\\033")" || true
winnow diff --color=always a.winnow b.winnow | grep -c "$(printf "\\033")" > always || true
test "$(cat always)" -gt 5
#= stdout
#| 1
#| 0
