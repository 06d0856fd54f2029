# the program's output and status are the same, byte for byte
cp "$COMPILED/cli-binary.c.gcc" binary
head -c 100000 /dev/urandom > input
status=0
./binary < input > without 2> /dev/null || status=$?
test "$status" -eq 3
status=0
winnow record ./binary < input > with 2> talk || status=$?
test "$status" -eq 3
cmp without with
head -n 1 talk
wc -l < talk
#= stdout
#| to stderr
#| 2
