#: widths
# every text fits 80 columns and avoids the words that the field does not use
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-busy.c.gcc" busy
cp "$COMPILED/cli-scaled.c.gcc" scaled
export COLUMNS=80
winnow record -o omp.winnow ./omp > sum 2>&1
winnow record -o busy.winnow ./busy > sum 2>&1
winnow record --threads 1,2 --repeat 2 -o series ./scaled > sum 2>&1
head -c "$(($(wc -c < busy.winnow) / 2))" busy.winnow > cut.winnow
tables=$PROGRAMS/../../import/tables
# try COMMAND...: what it prints to a terminal of 80 columns
try() {
	n=$((n + 1))
	"$@" > "text.$n" 2> talk || true
	[ -s "text.$n" ] || echo "$*: prints nothing"
	awk -v command="$*" 'length($0) > 80 { print command ": " length($0) ": " $0 }' "text.$n"
}
n=0
try winnow --help
for verb in $(winnow --help | sed -n '/^verbs:/,/^$/s/^  \([a-z+]*\) .*/\1/p'); do
	try winnow help "$verb"
done
for trace in omp.winnow busy.winnow; do
	try winnow report "$trace"
	try winnow report -v "$trace"
	try winnow report --raw -v "$trace"
	try winnow report --theta "$trace"
	try winnow tree "$trace"
	try winnow similar "$trace"
	try winnow check "$trace"
done
try winnow report cut.winnow
try winnow report series
try winnow report -v series
try winnow diff omp.winnow busy.winnow
try winnow diff busy.winnow busy.winnow
try winnow doctor
try winnow doctor ./busy
try winnow characterize omp.winnow busy.winnow series/t1-r1.winnow series/t2-r1.winnow
"$PROGRAMS/../../../tools/check-words.sh" "$PROGRAMS/../../.." text.* | grep -A 5 '^not ok' || test "$n" -ge 42
