#: refused
# what cannot be recorded is not run: the status is 2, or 1 where it is winnow's own fault
status() {
	code=0
	winnow "$@" || code=$?
	echo "$code"
}
status record -o no/trace sh -c 'echo ran; exit 5'
status run -o /proc/self/trace sh -c 'echo ran; exit 5'
build=$(dirname "$(command -v winnow)")
mkdir 'a b'
cp "$build/winnow" "$build/libwinnow-record.so" 'a b'
code=0
'a b/winnow' record sh -c 'echo ran; exit 5' || code=$?
echo "$code"
#= stdout
#| 2
#| 2
#| 1
#= stderr glob
#| winnow record: no/trace: cannot be created: No such file or directory; the program is not run; --keep-going runs it unrecorded
#| winnow run: /proc/self/trace: cannot be created: *; the program is not run; --keep-going runs it unrecorded
#| winnow record: /*/a b/libwinnow-record.so: its path has a space or a colon in it; the program is not run; --keep-going runs it unrecorded
#: refused-runtime
# a program with a runtime inside that nothing can record is not run
archive=$(gcc -print-file-name=libgomp.a)
[ -f "$archive" ] || { echo "no libgomp.a"; exit 77; }
gcc -fopenmp -c "$PROGRAMS/omp.c"
gcc -o omp omp.o "$archive" -lpthread -ldl
winnow record ./omp
#= exit 2
#= stderr glob
#| winnow record: ./omp: cannot be recorded: libgomp is linked into the program: *; the program is not run; --keep-going runs it unrecorded
#: status
# where nothing was recorded the status is 125, unless the program has one of its own, or --keep-going asks for its own
cp "$COMPILED/cli-omp.c.gcc" omp
for what in true false ./omp 'sh -c ./omp' 'sh -c kill${IFS}-9${IFS}$$'; do
	for option in '' --keep-going; do
		code=0
		winnow record $option -o t $what > sum 2>&1 || code=$?
		printf '%s ' "$code"
	done
done
echo
#= stdout
#| 125 0 1 1 0 0 0 0 137 137 
#: kept
# an earlier recording is kept as .old, the one before it is not
cp "$COMPILED/cli-omp.c.gcc" omp
for i in 1 2 3; do
	winnow record ./omp > sum 2>&1
	cp omp.winnow "copy$i"
done
cmp omp.winnow copy3
cmp omp.winnow.old copy2
winnow report --json omp.winnow.old | jq .graph.grains
ls *.old*
#= stdout
#| 10
#| omp.winnow.old
#: kept-killed
# what a killed program left in memory is in the recording that is kept
cat > stay.c << 'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 100; i++)
#pragma omp task
		;
	FILE *f = fopen("ready", "w");
	fprintf(f, "%ld\n", (long)getpid());
	fclose(f);
	for (;;)
		pause();
}
END
gcc -fopenmp -o stay stay.c
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t ./stay 2> talk &
winnow=$!
until [ -s ready ]; do sleep 0.1; done
kill -9 "$winnow" "$(cat ready)"
wait "$winnow" 2> /dev/null || true
winnow record -o t ./omp > sum 2>&1
for trace in t.old t; do
	winnow report --json "$trace" | jq .graph.grains
done
#= stdout
#| 100
#| 10
