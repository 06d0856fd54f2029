# A series as text fits its sheet
"$MAKE_TRACE" loop > a.winnow
"$MAKE_TRACE" tasks > b.winnow
for columns in 80 100; do
	COLUMNS=$columns winnow diff a.winnow b.winnow a.winnow b.winnow | awk -v columns=$columns "
		length > columns { print } /inflation.*idle.*overhead/ { n++ } END { print n }"
done
winnow diff --group P0 a.winnow a.winnow a.winnow
#= exit 2
#= stdout
#| 1
#| 1
#= stderr
#| winnow diff: --group compares two recordings, and no more
