# A full disk and a folder that is not there are told, and nothing stays
"$MAKE_RUN" tree > tree.winnow
for out in - /dev/full no/such.html; do
	status=0
	winnow view tree.winnow -o "$out" > /dev/full || status=$?
	echo "$status"
done
ls
#= stdout
#| 1
#| 1
#| 1
#| tree.winnow
#= stderr
#| winnow view: standard output: No space left on device; the export is incomplete
#| winnow view: /dev/full: No space left on device; the export is incomplete
#| winnow view: no/such.html: No such file or directory; nothing exported
