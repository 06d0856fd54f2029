# Damaged and hostile recordings: no control character, no crash
for run in damaged hostile killed nothing; do
	"$MAKE_TRACE" $run > a.winnow
	winnow similar a.winnow > out 2> err || test $? -eq 3
	LC_ALL=C grep -c "[[:cntrl:]]" out || true
	winnow similar a.winnow R/F0 > out 2> err || test $? -le 3
done
echo no > text
winnow similar text
#= exit 1
#= stdout
#| 0
#| 0
#| 0
#| 0
#= stderr glob
#| winnow similar: text: *
