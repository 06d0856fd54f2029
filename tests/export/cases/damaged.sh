#: damaged
# A damaged recording is exported as far as it can be read
"$MAKE_RUN" damaged > damaged.winnow
status=0
winnow export damaged.winnow -o damaged.csv || status=$?
sed 1d damaged.csv | cut -d, -f1-3
exit "$status"
#= exit 3
#= stdout
#| id,lineage,kind
#| 1,P0.t0,implicit
#| 2,P0.s0.1,task
#| 3,P0.s0.2,task
#| 4,P0.s0.1.1,task
#| 5,P0.s0.1.2,task
#= stderr
#| winnow export: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the export is of the rest
#: no-folder
# A folder that does not exist is told
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow -o no/tree.svg
#= exit 1
#= stderr
#| winnow export: no/tree.svg: No such file or directory; nothing exported
#: no-format
# Without a format and without an ending that tells it there is nothing to do
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow
#= exit 2
#= stderr
#| winnow export: the name of the output does not give the format; add --format, see winnow help export
#: no-trace
# What is no recording is refused
echo hello > hello.winnow
winnow export hello.winnow --format dot
#= exit 1
#= stderr glob
#| winnow export: hello.winnow: byte 0: not a Winnow trace*; nothing exported
#: unknown-format
# A format that does not exist is a usage error
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format png
#= exit 2
#= stderr
#| winnow export: option '--format': 'png' is not graphml, dot, svg, taskgraph, csv, gexf, plain, bare, nodes, edges, mir-csv, profile or contribution; see winnow help export
#: own-input
# A recording is never overwritten
"$MAKE_RUN" tree > tree.winnow
cp tree.winnow copy.winnow
status=0
winnow export tree.winnow --format csv -o copy.winnow || status=$?
cmp tree.winnow copy.winnow
exit "$status"
#= exit 2
#= stderr
#| winnow export: copy.winnow: is a recording; nothing exported
#: too-large
# A drawing of too many nodes is refused, and nothing is written
"$MAKE_RUN" tree > tree.winnow
status=0
winnow export tree.winnow -o tree.graphml --max-nodes 13 || status=$?
ls
winnow export tree.winnow -o tree.graphml --max-nodes 14
winnow export tree.winnow -o tree.csv --max-nodes 1
ls
exit "$status"
#= exit 1
#= stdout
#| tree.winnow
#| tree.csv
#| tree.graphml
#| tree.winnow
#= stderr
#| winnow export: tree.winnow: 14 nodes are too large for yEd; raise --max-nodes, or use --format csv
#: file-limit
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
#: full-disk
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
#: closed-pipe
# A reader that goes away is no news
"$MAKE_RUN" tree > tree.winnow
trap "" PIPE
{
	sleep 0.2
	status=0
	winnow export tree.winnow --format graphml || status=$?
	echo "$status" > status
} | true
cat status
#= stdout
#| 1
#: stdout
# Standard output is the same as a file
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow -o tree.dot
winnow export tree.winnow --format dot | cmp - tree.dot
winnow export tree.winnow --format dot -o - | cmp - tree.dot
