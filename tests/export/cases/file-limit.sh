# A file that cannot be finished is removed
"$MAKE_RUN" loop > loop.winnow
trap "" XFSZ
status=0
(
	ulimit -f 8
	winnow export loop.winnow -o loop.graphml
) || status=$?
ls
exit "$status"
#= exit 1
#= stdout
#| loop.winnow
#= stderr
#| winnow export: loop.graphml: File too large; nothing exported
