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
