#: counters-columns
# A counter's column has no name that a column of every run has, nor that of a weight
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o omp.winnow ./omp > omp.out 2>&1
winnow export -f csv -o omp.csv omp.winnow
for name in $(awk -F, '!/^#/ { gsub(",", " "); print; exit }' omp.csv) work time; do
	code=0
	winnow record -k -o x.winnow --counters "$name=task-clock" echo "not printed" 2> why || code=$?
	[ $code = 2 ] && grep -q "'$name' is what something else is called" why || echo "$name: exit $code"
done
winnow record -k -o x.winnow --counters "line=task-clock" echo "not printed" 2>&1 || echo "exit $?"
winnow record -k -o x.winnow --counters "lines=task-clock" echo "printed" 2> why
#= stdout
#| winnow record: --counters: 'line' is what something else is called; give it another name
#| exit 2
#| printed
#: counters-families
# Counters that the kernel has no name for are those of the processor's family, or none
[ "$(uname -m)" = x86_64 ] || { echo "families of x86-64 only"; exit 77; }
for family in skx amd64_fam19h_zen3 nhm; do
	# shellcheck disable=SC2016 # the program's own
	LIBPFM_FORCE_PMU=$family winnow record -o t.winnow --counters PAPI_L2_TCM,L2-references,dcm=papi_l2_dcm,L2_data_references \
		sh -c 'echo "$WINNOW_COUNTERS"' 2> /dev/null || true
done
#= stdout
#| perf:L2_misses=4.2724.0.0.,L2_references=4.e724.0.0.,dcm=4.2124.0.0.,L2_data_references=4.e124.0.0.
#| perf:L2_misses=4.964.0.0.,L2_references=4.ff64.0.0.,dcm=4.864.0.0.,L2_data_references=4.f864.0.0.
#| perf:L2_misses=4.aa24.0.0.,L2_references=4.ff24.0.0.,dcm=ffffffff.0.0.0.,L2_data_references=ffffffff.0.0.0.
#: counters-static
# Counts of the chunks of a static loop are shares, as their times are, and said to be
command -v ${CLANG%% *} > /dev/null || { echo "clang is missing"; exit 77; }
printf 'int main(void) {\n#pragma omp parallel for schedule(static, 2)\nfor (int i = 0; i < 12; i++)\n__asm__ volatile("");\nreturn 0; }\n' > loop.c
$CLANG -O1 -g -fopenmp -o loop loop.c || { echo "no OpenMP"; exit 77; }
export OMP_NUM_THREADS=2
winnow record -o plain ./loop > said 2>&1
LD_PRELOAD=$SIMULATED WINNOW_COUNTERS=simulated:more=1 winnow record -o counted ./loop >> said 2>&1
for run in plain counted; do
	winnow report --json $run | grep -o '"chunk times[a-z ]* are each'
done
winnow report --json plain --counts counted | grep -o '"chunk times[a-z ]* are each'
#= stdout
#| "chunk times are each
#| "chunk times and counts are each
#| "chunk times and counts are each
#: counters-twice
# A counter that is named twice, by two of its names
winnow record --counters cycles,PAPI_TOT_CYC -o x.winnow echo "never printed"
#= exit 2
#= stderr
#| winnow record: --counters: 'cycles' comes twice
#: counters-unknown
# A counter that is none keeps the program from starting
winnow record --counters task-clock,nonsense -o x.winnow echo "never printed"
#= exit 2
#= stderr
#| winnow record: --counters: 'nonsense' is no counter: event not found; see winnow doctor
#: count-check
# What --check is to fill can be written, before anything runs; where the program goes does not matter
[ "$(uname -m)" = x86_64 ] || { echo "no engine for this machine"; exit 77; }
printf '#include <omp.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(int n, char **v) { (void)v;\n#pragma omp parallel\n(void)omp_get_thread_num();\nif (n > 1) abort();\nreturn chdir("elsewhere"); }\n' > moves.c
gcc -O1 -fopenmp -o moves moves.c
mkdir elsewhere
winnow count --check sums ./moves 2> said
grep -c "^every [1-9]" sums
try() {
	winnow count --check "$@" 2> said || echo "exit $?"
	grep "check" said
}
try none/sums ./moves
try moves.counts.winnow ./moves
winnow report moves.counts.winnow > /dev/null
try elsewhere ./moves
# what ends early has checked nothing
try sums ./moves abort | sed "s|$PWD/||"
ls sums elsewhere/* 2> /dev/null || true
# and what is there stays until there is something better, also by its other names
echo mine > kept
ln kept linked
try kept ./moves abort
cat kept
winnow count --check kept ./moves 2> said
grep -c "^every [1-9]" kept
cat linked
find . -name '.winnow-*'
# an option of the engine ends at a comma: whose path has it is named
mkdir some,where
for engine in native qemu; do
	winnow count --engine $engine --check some,where/sums ./moves 2>&1 | sed "s|$PWD/||; s|/.winnow-[0-9a-f]*:|/:|"
done
#= stdout
#| 1
#| exit 1
#| winnow count: --check none/sums: cannot be written: No such file or directory; the program is not run
#| exit 2
#| winnow count: --check moves.counts.winnow: is a recording; left as it is
#| exit 1
#| winnow count: --check elsewhere: cannot be written: Is a directory; the program is not run
#| exit 134
#| winnow count: --check sums: nothing was written, as nothing that counts came to its end
#| sums
#| exit 134
#| winnow count: --check kept: nothing was written, as nothing that counts came to its end
#| mine
#| 1
#| mine
#| winnow count: some,where/: its path has a comma in it, which ends an option of the engine
#| winnow count: some,where/: its path has a comma in it, which ends an option of the engine
#: count-without-engine
# A winnow beside which there is nothing that counts says so, and how to come by it
from=$(dirname "$(command -v winnow)")
mkdir part
cp "$from/winnow" "$from/libwinnow-record.so" part
part/winnow count --engine native true > said 2>&1 || echo $?
sed "s|$PWD|HERE|" said
#= stdout
#| 1
#| winnow count: libwinnow-native.so is not found beside HERE/part/libwinnow-record.so; 'make' builds all that belongs together, and 'make install' puts it there
