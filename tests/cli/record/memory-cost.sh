# the recorder takes less than a megabyte of a program's address space
cp "$COMPILED/cli-limits.c.gcc" limits
export OMP_THREAD_LIMIT=1
plain=$(./limits peak)
recorded=$(winnow record ./limits peak 2> /dev/null)
test $((recorded - plain)) -lt 1000 || echo "$((recorded - plain)) kB"
