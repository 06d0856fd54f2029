#: bad
# What is no table is one line
try() {
	status=0
	winnow characterize --table "$1" > out || status=$?
	echo "$status $(wc -c < out)"
}
: > empty.csv && try empty.csv
echo "n,a" > header.csv && try header.csv
printf 'n,a,b\nx,1\n' > fewer.csv && try fewer.csv
printf 'n,a\nx,1,2\n' > more.csv && try more.csv
printf 'n,a\nx,one\n' > word.csv && try word.csv
printf 'n,a\nx,inf\n' > infinite.csv && try infinite.csv
printf 'n,a,a\nx,1,2\n' > twice.csv && try twice.csv
printf 'n,a\n"x,1\n' > open.csv && try open.csv
printf 'n,a\n"x"y,1\n' > after.csv && try after.csv
printf 'n,a\0\nx,1\n' > zero.csv && try zero.csv
printf 'name\nx\n' > single.csv && try single.csv
printf 'n,a,\nx,1,2\n' > nameless.csv && try nameless.csv
mkdir folder.csv && try folder.csv
try none.csv
#= stdout
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#= stderr
#| winnow characterize: empty.csv: empty; a table has names in its first line and first column
#| winnow characterize: header.csv: no line after the first; a table has names in its first line and first column
#| winnow characterize: fewer.csv: line 2: fewer fields than the first line has
#| winnow characterize: more.csv: line 2: more fields than the first line has
#| winnow characterize: word.csv: line 2, column 'a': 'one' is no finite number; NA stands for a missing one
#| winnow characterize: infinite.csv: line 2, column 'a': 'inf' is no finite number; NA stands for a missing one
#| winnow characterize: twice.csv: line 1: two columns are called 'a'
#| winnow characterize: open.csv: line 2: a quote is not closed
#| winnow characterize: after.csv: line 2: text after a field in quotes
#| winnow characterize: zero.csv: line 1: a zero byte; this is no table of text
#| winnow characterize: single.csv: line 1: only one column; wanted are a name and numbers, with commas
#| winnow characterize: nameless.csv: line 1: a column has no name
#| winnow characterize: folder.csv: Is a directory
#| winnow characterize: none.csv: No such file or directory
#: damaged
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
#| winnow characterize: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the result is of the rest
#| winnow characterize: text: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#| winnow characterize: empty: byte 0: the file is empty, so not a Winnow trace; winnow record makes traces
#| winnow characterize: none.winnow: cannot open: No such file or directory
#| winnow characterize: damaged.winnow: byte 196608: damaged; skipped 1 block and 0 bytes of others, 0 gaps; the result is of the rest
#: usage
# What the command line may not say
printf 'n,a,b\nx,1,2\ny,2,1\n' > t.csv
try() {
	status=0
	winnow characterize "$@" > out || status=$?
	echo "$status $(wc -c < out)"
}
try
try --table t.csv run.winnow
try --table t.csv --cutoffs
try --table t.csv --weight work
try --table t.csv --keep 0
try --table t.csv --keep 101%
try --table t.csv --keep much
try --table t.csv --ward D3
try --table t.csv --median
try --cutoffs --clusters 3 a.winnow
try --table t.csv --color red
try --table t.csv --clusters 0
try --table t.csv --clusters -1
try --table t.csv --clusters 2x
try --table t.csv --svg ''
try --table t.csv --csv ''
#= stdout
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#| 2 0
#= stderr
#| winnow characterize: which runs? RUN..., or --table FILE
#| winnow characterize: --table FILE is instead of runs
#| winnow characterize: --table FILE is instead of --cutoffs
#| winnow characterize: --weight is of runs, and --table has its own columns
#| winnow characterize: --keep '0': not a share above 0 and up to 1, as 0.85
#| winnow characterize: --keep '101%': not a share above 0 and up to 1, as 0.85
#| winnow characterize: --keep 'much': not a share above 0 and up to 1, as 0.85
#| winnow characterize: option '--ward': 'D3' is not D2 or D; see winnow help characterize
#| winnow characterize: --median is of --cutoffs
#| winnow characterize: --clusters has no meaning with --cutoffs
#| winnow characterize: option '--color': 'red' is not auto, always or never; see winnow help characterize
#| winnow characterize: --clusters '0': not a whole number from 1 on
#| winnow characterize: --clusters '-1': not a whole number from 1 on
#| winnow characterize: --clusters '2x': not a whole number from 1 on
#| winnow characterize: --svg names no file
#| winnow characterize: --csv names no file
#: files
# Pictures are XML, names are safe in them, and the CSV can be read again
command -v xmllint > /dev/null || { echo "xmllint is missing"; exit 77; }
printf 'name,"a<b & ""c""",y,z\n"</svg>,1",1,2,9\n\033[31mred,3,4,1\nc,5,1,4\n\303\244\377,2,8,8\n' > odd.csv
winnow characterize --table odd.csv --keep 99% --svg out --csv out.csv > out.txt
for file in out-*.svg; do
	xmllint --noout "$file" && echo "$file"
done
grep -o "dashed: the 99 % wanted" out-scree.svg
head -n 2 out.csv | cut -c 1-40
LC_ALL=C grep -c "[[:cntrl:]]\[31m" out.txt out-*.svg || true
winnow characterize --table out.csv --json > again.json
test -s again.json && echo "read again"
mkdir full
winnow characterize --table odd.csv --svg full/none/x > /dev/null || echo $?
# more clusters than colours have marks that differ, and those without are told
awk 'BEGIN { print "n,a,b"; for (i = 0; i < 30; i++) printf "r%d,%d,%d\n", i, i * i, (i * 7) % 31 }' > many.csv
winnow characterize --table many.csv --clusters 24 --svg many > /dev/null
marks() {
	grep -o '<\(circle \|rect x="[0-9.]*" y="[0-9.]*" width="[0-9]\.[0-9]"\).*' "$1" |
		sed 's/.*\(<[a-z]*\).* fill="\([^"]*\)" stroke="\([^"]*\)".*/\1 \2 \3/' | sort -u | wc -l
}
grep -c '>cluster ' many-scores-1-2.svg
marks many-scores-1-2.svg
winnow characterize --table many.csv --clusters 26 --svg more > /dev/null
grep -o '>and 2 more<' more-scores-1-2.svg
grep -o 'stroke-dasharray="[26] 2"' more-dendrogram.svg | sort -u
#= stdout
#| out-dendrogram.svg
#| out-loadings.svg
#| out-scores-1-2.svg
#| out-scores-1-3.svg
#| out-scree.svg
#| dashed: the 99 % wanted
#| name,"a<b & ""c""",y,z,PC1,PC2,PC3,clust
#| "</svg>,1",1,2,9,-0.99549330138807068,-1
#| out.txt:0
#| out-dendrogram.svg:0
#| out-loadings.svg:0
#| out-scores-1-2.svg:0
#| out-scores-1-3.svg:0
#| out-scree.svg:0
#| read again
#| 1
#| 24
#| 24
#| >and 2 more<
#| stroke-dasharray="2 2"
#| stroke-dasharray="6 2"
#= stderr
#| winnow characterize: full/none/x-scree.svg: No such file or directory; nothing exported
#: degenerate
# What cannot be analysed is said, and what can is
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
short() {
	winnow characterize --table "$1" --json | jq -c '[.analysis, .kept, (.components | length), [.properties[].left_out], [.cases[] | [.left_out, .lacks, .cluster]], (.cross_validation.errors | length?)]'
}
printf 'n,a,b\nx,1,2\n' > one.csv
short one.csv
printf 'n,a,b\nx,1,2\ny,1,2\nz,1,2\n' > same.csv
short same.csv
printf 'n,a,b,c\nx,1,2,NA\ny,3,NA,NA\nz,4,1,\nu,7,8,NA\n' > missing.csv
short missing.csv
printf 'n,a,b,c,d,e\nx,1,2,3,4,1\ny,3,1,9,4,2\nz,4,1,1,0,7\n' > wide.csv
short wide.csv
winnow characterize --table wide.csv --keep 1 | grep -c "clusters are chance"
printf 'n,a,b\nx,1,2\ny,2,1\n' > two.csv
short two.csv
COLUMNS=120 winnow characterize --table two.csv --clusters 1 | grep -o "1 clusters*\.$"
printf 'n,a\nx,1\ny,2\nz,2\n' > column.csv
short column.csv
printf 'n,a,b\nx,1e300,2\ny,-1e300,1\nz,1e308,5\n' > huge.csv
short huge.csv
printf 'n,a,b\nx,0,0\ny,0,0\nz,0,1\nu,1,0\n' > tied.csv
short tied.csv
winnow characterize --table one.csv --svg x > /dev/null || echo $?
#= stdout
#| ["too few cases",null,0,[null,null],[[null,null,null]],0]
#| ["nothing differs",null,0,["constant","constant"],[[null,null,null],[null,null,null],[null,null,null]],0]
#| ["done",1,2,[null,null,"missing"],[[null,null,1],["missing","b",null],[null,null,2],[null,null,3]],2]
#| ["done",2,2,[null,null,null,null,null],[[null,null,1],[null,null,2],[null,null,3]],2]
#| 1
#| ["done",1,1,[null,null],[[null,null,1],[null,null,2]],1]
#| 1 cluster.
#| ["done",1,1,[null],[[null,null,1],[null,null,2],[null,null,3]],1]
#| ["done",1,2,[null,null],[[null,null,1],[null,null,2],[null,null,3]],2]
#| ["done",2,2,[null,null],[[null,null,1],[null,null,2],[null,null,3],[null,null,4]],2]
#| 1
#= stderr
#| winnow characterize: --svg: nothing was analysed; no picture written
