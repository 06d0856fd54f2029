# Damaged, foreign, empty: a line for each, and the right status
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
for run in loop tasks damaged killed nothing; do "$MAKE_TRACE" $run > $run.winnow; done
winnow characterize --weight work loop.winnow damaged.winnow tasks.winnow --json > a.json || echo $?
jq '.cases | length' a.json
echo text > text
: > empty
winnow characterize loop.winnow text empty none.winnow nothing.winnow || echo $?
winnow characterize --cutoffs 1=damaged.winnow 2=loop.winnow --json > b.json || echo $?
jq -c '[.runs[].cutoff]' b.json
head -c 700 tasks.winnow > cut.winnow
winnow characterize --weight work cut.winnow loop.winnow > c.txt 2> c.err || test $? -le 3
test "$(wc -l < c.err)" -le 1 && echo "one line"
