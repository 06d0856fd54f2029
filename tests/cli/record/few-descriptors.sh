# a program with few descriptors gets the same ones recorded, or is not recorded and a line says why
cp "$COMPILED/cli-limits.c.gcc" limits
for n in 4 5 6 7 8 12 15; do
	status=0
	(ulimit -n $n; exec ./limits files) > plain || status=$?
	test $status -eq 3
	status=0
	(ulimit -n $n; exec winnow record -o t ./limits files) > recorded 2> talk || status=$?
	test $status -eq 3
	cmp plain recorded
	test "$(wc -l < talk)" -eq 1
	# a limit that may be raised: the recorder is beyond it
	status=0
	(ulimit -Sn $n; exec winnow record -o t ./limits files) > recorded 2> talk || status=$?
	test $status -eq 3
	cmp plain recorded
	grep -q 'winnow record: t: .*complete' talk
done
