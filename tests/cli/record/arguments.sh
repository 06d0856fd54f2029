#: no-command
# --no-command leaves the arguments out of the trace, whoever started the program
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record --no-command -o t sh -c './omp --password=geheim; ./omp "
geheim"; :' > /dev/null 2>&1
winnow run --no-command -o r ./omp --password=geheim > out 2>&1
ls t t.* r | wc -l
! grep -a geheim t t.* r out
winnow report --json r | tr -d ' \n' | grep -o '"command":\["omp(argumentsnotrecorded)"\]'
winnow dump r | grep -c ^argv || true
winnow record -o p ./omp --password=geheim > /dev/null 2>&1
grep -a -q geheim p && echo kept
#= stdout
#| 3
#| "command":["omp(argumentsnotrecorded)"]
#| 0
#| kept
#: overwritten-arguments
# the command is that with which the program was started, whatever it does with its arguments
cp "$COMPILED/cli-arguments.c.gcc" arguments
long=$(printf '%020000d' 0)
show() {
	winnow report --json "$1" | tr -d '\n' | grep -o '"command": *\[[^]]*\]' | tr -s ' ' | cut -c 1-120
}
winnow record -o t ./arguments first '' 'a
line' '' 2> /dev/null
show t
winnow record -o t sh -c './arguments second; :' 2> /dev/null
show t
winnow record -o t ./arguments third "$long" 2> /dev/null
winnow dump t | grep '^argv' | cut -c 1-30
winnow dump t | grep '^argv' | tail -c 10
winnow record -o t --source libgomp ./arguments fourth 2> /dev/null
winnow dump t | grep '^argv'
#= stdout
#| "command": [ "./arguments", "first", "", "a\nline", "" ]
#| "command": [ "./arguments", "second" ]
#| argv ./arguments third 0000000
#| 000000…
#| argv ./arguments fourth
#: verbose
# --verbose says the source before the program runs
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -v ./omp 2> talk
grep expected talk
#= stdout
#| sum 55
#| winnow record: ./omp: expected source: libgomp by wrapping
#: overhead
# the line at the end tells what recording cost, of a program that takes a moment
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t sh -c './omp; i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: * 10 grains, libgomp by wrapping, complete; recording took * of the CPU time
#: unreachable
# where a program may have run constructs out of reach, nothing is said of what it did
cat > out-of-reach.c <<'C'
#include <stdlib.h>
int main(void)
{
	unsetenv("WINNOW_OUT");
	unsetenv("WINNOW_BACK");
#pragma omp parallel
	;
	return 0;
}
C
gcc -fopenmp -o out-of-reach out-of-reach.c
winnow record ./out-of-reach
#= exit 125
#= stderr glob
#| winnow record: nothing recorded: it links libgomp, but no process reported an OpenMP construct; *
