# Damaged, foreign, empty: a line for each, and the right status
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for run in loop tasks damaged killed nothing; do "$MAKE_TRACE" $run > $run.winnow; done
winnow characterize --weight work loop.winnow damaged.winnow tasks.winnow --json > a.json || echo $?
jq '.cases | length' a.json
echo text > text
: > empty
winnow characterize loop.winnow text empty none.winnow nothing.winnow || echo $?
winnow characterize --cutoffs 1=damaged.winnow 2=loop.winnow --json > b.json || echo $?
jq -c "$NUMBERS"' | [.runs[].cutoff]' b.json
head -c 700 tasks.winnow > cut.winnow
winnow characterize --weight work cut.winnow loop.winnow > c.txt 2> c.err || test $? -le 3
test "$(wc -l < c.err)" -le 1 && echo "one line"
#= stdout
#| 3
#| 3
#| 1
#| 3
#| [1,2]
#| one line
#= stderr
#| winnow characterize: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; what is said is of the rest
#| winnow characterize: text: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#| winnow characterize: empty: byte 0: the file is empty, so not a Winnow trace; winnow record makes traces
#| winnow characterize: none.winnow: cannot open: No such file or directory
#| winnow characterize: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; what is said is of the rest
