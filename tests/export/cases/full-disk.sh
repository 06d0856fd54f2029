# A full disk is told, and the device is not removed
"$MAKE_RUN" tree > tree.winnow
for format in graphml dot svg csv; do
	status=0
	winnow export tree.winnow --format "$format" -o /dev/full || status=$?
	echo "$status"
	winnow export tree.winnow --format "$format" > /dev/full || status=$?
	echo "$status"
done
test -c /dev/full
#= stdout
#| 1
#| 1
#| 1
#| 1
#| 1
#| 1
#| 1
#| 1
#= stderr
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: standard output: No space left on device; the export is incomplete
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: standard output: No space left on device; the export is incomplete
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: standard output: No space left on device; the export is incomplete
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: standard output: No space left on device; the export is incomplete
