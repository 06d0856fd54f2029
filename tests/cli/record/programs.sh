#: grains
# the line at the end counts the grains of all processes, as reports do
cp "$COMPILED/cli-omp.c.gcc" omp
cp "$COMPILED/cli-binary.c.gcc" binary
winnow record -o t sh -c './omp; ./binary; exit 0' > /dev/null 2> talk < /dev/null
said=$(grep -o '[0-9,]* grains,' talk | tr -cd 0-9)
counted=0
for trace in t t.*; do
	counted=$((counted + $(winnow report --json "$trace" | sed -n '/^  "graph"/,/}/s/ *"grains": \([0-9]*\),/\1/p')))
done
test "$counted" -gt 1000
test "$said" = "$counted"
#: interpreter
# another interpreter that opens no runtime is named
[ -x /usr/bin/awk ] || { echo "no awk"; exit 77; }
printf '#!/usr/bin/awk -f\nBEGIN { print "awk" }\n' > script
chmod +x script
winnow record ./script
#= exit 125
#= stdout
#| awk
#= stderr glob
#| winnow record: nothing recorded: neither its interpreter /usr/bin/awk nor what that started reported an OpenMP runtime
#: late-libgomp
# a runtime that is opened late is recorded
cp "$COMPILED/cli-late.c.gcc-fno-openmp" late
gcc -fopenmp -shared -fPIC -o library.so "$PROGRAMS/library.c"
winnow record -v -o t ./late ./library.so
#= stdout
#| sum 55
#= stderr glob
#| *expected source: none yet: *
#| winnow record: t: *, libgomp by wrapping, complete*
#: late-libomp
# libomp that is opened late is recorded
cp "$COMPILED/cli-late.c.gcc-fno-openmp" late
$CLANG -fopenmp -shared -fPIC -o library.so "$PROGRAMS/library.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t ./late ./library.so
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: *, libomp by OMPT, complete*
#: no-openmp
# a program without OpenMP: says so, and leaves no file
cp "$COMPILED/cli-serial.c.gcc-fno-openmp" serial
winnow record -k ./serial
ls
#= stdout
#| serial
#| serial
#= stderr glob
#| winnow record: nothing recorded: no OpenMP runtime was seen: it links none (nor do its * libraries), *
#: other-namespace
# a process with numbers of its own is not taken for another one, and one that cannot report is found
for how in '' --mount-proc; do
	unshare -Urpf $how true 2> /dev/null || { echo "no namespaces may be made here"; exit 77; }
done
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record -o t unshare -Urpf sh -c './omp; exit 3' || echo "$?"
winnow record -o t unshare -Urpf --mount-proc sh -c './omp; exit 3' || echo "$?"
winnow dump t | grep -c '^wait-status' || true
unshare -Urpf winnow record -o u ./omp
winnow dump u | grep '^wait-status'
#= stdout
#| sum 55
#| 3
#| sum 55
#| 3
#| 0
#| sum 55
#| wait-status 0
#= stderr glob
#| winnow record: t: * 10 grains, libgomp by wrapping, complete*
#| winnow record: t: * 10 grains, libgomp by wrapping, complete*
#| winnow record: u: * 10 grains, libgomp by wrapping, complete*
#: recorded
# a recorded program: one line with file, size, source and state
cp "$COMPILED/cli-omp.c.gcc" omp
winnow record ./omp
ls -- *.winnow
#= stdout
#| sum 55
#| omp.winnow
#= stderr glob
#| winnow record: omp.winnow: * kB*, * grains, libgomp by wrapping, complete*
#: recorded-libomp
# a program on libomp is recorded by OMPT
$CLANG -fopenmp -o omp "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t ./omp
#= stdout
#| sum 55
#= stderr glob
#| winnow record: t: * kB*, * grains, libomp by OMPT, complete*
#: same-output
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
#: shell-script
# a script that starts nothing with OpenMP: says so
printf '#!/bin/sh\necho from a script\n' > script
chmod +x script
winnow record ./script
#= exit 125
#= stdout
#| from a script
#= stderr glob
#| winnow record: nothing recorded: it is a shell script, and no process it started reported an OpenMP runtime *
#: two-runtimes
# two programs on two runtimes are told apart
cp "$COMPILED/cli-omp.c.gcc" a
$CLANG -fopenmp -o b "$PROGRAMS/omp.c" 2> /dev/null || { echo "no clang with libomp"; exit 77; }
winnow record -o t sh -c './a; ./b'
#= stdout
#| sum 55
#| sum 55
#= stderr glob
#| winnow record: t and 1 more, *, libomp by OMPT and libgomp by wrapping, complete*
