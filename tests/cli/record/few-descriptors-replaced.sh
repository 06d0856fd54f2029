# where only one descriptor is free an earlier recording is replaced all the same
cp "$COMPILED/cli-limits.c.gcc" limits
winnow record -o t sh -c './limits; ./limits; exit 0' > /dev/null 2>&1
ls t t.* | wc -l
(ulimit -Sn 4; exec winnow record -o t ./limits) > /dev/null 2>&1 || true
ls t t.* 2> /dev/null | wc -l
winnow check t > /dev/null
#= stdout
#| 2
#| 1
