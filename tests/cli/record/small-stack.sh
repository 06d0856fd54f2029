# a limit of the stack that is enough for the program is enough for what records it
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_STACKSIZE=128k
for kb in 32 64; do
	status=0
	(ulimit -s $kb; exec winnow record -o t ./limits) 2> talk || status=$?
	test $status -eq 3
	grep -q complete talk
done
#= stdout
#| tasks 200
#| tasks 200
