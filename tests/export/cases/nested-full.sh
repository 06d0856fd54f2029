# A full disk, a missing folder and a file limit are told of nested documents, too
"$MAKE_RUN" tree > tree.winnow
for out in /dev/full no/where.graphml; do
	status=0
	winnow export tree.winnow -o "$out" --format graphml --nested || status=$?
	echo "$status"
done
trap "" XFSZ
status=0
(
	ulimit -f 8
	winnow export tree.winnow -o tree.graphml --nested --view all
) || status=$?
echo "$status"
ls
#= stdout
#| 1
#| 1
#| 1
#| tree.winnow
#= stderr
#| winnow export: /dev/full: No space left on device; the export is incomplete
#| winnow export: no/where.graphml: No such file or directory; nothing exported
#| winnow export: tree.graphml: File too large; nothing exported
