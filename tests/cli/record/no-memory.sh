# a program that has used up all its memory goes on, and the line says what is missing
(ulimit -v 100000; exec winnow --version) > version 2>&1 || { echo "winnow itself needs more, with a sanitizer"; exit 77; }
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_THREAD_LIMIT=1
for keep in 0 8 64; do
	status=0
	(ulimit -v 100000; exec winnow record -o t ./limits memory $keep) 2> talk || status=$?
	test $status -eq 3
	grep -q -e 'no memory' -e 'Cannot allocate memory' talk || cat talk
done
#= stdout
#| tasks 100
#| tasks 100
#| tasks 100
