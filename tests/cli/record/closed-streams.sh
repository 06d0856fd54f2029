# closed standard streams do no harm
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t ./omp < /dev/null > /dev/null 2>&1 <&-
winnow record -o u ./omp >&- 2>&- <&- || true
test -s t
test -s u
