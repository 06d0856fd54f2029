#: cut
# a trace cut in the middle is damaged, usable
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
head -c 270000 omp.winnow > cut.winnow
winnow check cut.winnow
#= exit 3
#= stdout glob
#| *damaged, usable
#| recording: cut off: the file ends before its last block
#| graph: *all laws hold
#| groups: * of * grain*: all laws hold
#: no-trace
# a text file is no trace
echo hello > notes.txt
winnow check notes.txt
#= exit 1
#= stderr
#| winnow check: notes.txt: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
#: one
# one of a thing is not called several
cat > one.c <<'END'
#include <stdlib.h>
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp task
	exit(0);
}
END
gcc -fopenmp -o one one.c
winnow record ./one > /dev/null 2>&1
winnow check one.winnow
#= stdout glob
#| trace: format 1.8, 1 thread, * events, * bytes, closed: whole
#| 1 task never completed
#| recording: ended inside a parallel region
#| graph: 2 fork-joins with children (2 opened), * joins, * fragments: all laws hold
#| groups: * of 2 grains: all laws hold
#: quiet
# quiet: the exit status tells
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow check --quiet omp.winnow
#: whole
# a whole trace: its graph obeys the laws
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp > /dev/null 2>&1
winnow check omp.winnow
#= stdout glob
#| trace: format 1.8, * thread*, * events, * bytes, closed: whole
#| recording: complete
#| graph: * fork-join* with children (* opened), * joins, * fragments: all laws hold
#| groups: * of * grain*: all laws hold
