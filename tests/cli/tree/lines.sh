# --lines is kept, and what stays closed is said
"$MAKE_RUN" loop > loop.winnow
for lines in 1 2 5 9; do
	winnow tree loop.winnow --lines "$lines" > lines.txt
	sed -n "/^grains/,/^\$/p" lines.txt | grep -c " P0\| R/\|and "
	tr "\n" " " < lines.txt | grep -o "[0-9]* more group[^:]*" || true
done
#= stdout
#| 1
#| 1 more group would be open with more room
#| 1
#| 1 more group would be open with more room
#| 5
#| 2 more groups would be open with more room
#| 9
#| 1 more group would be open with more room
