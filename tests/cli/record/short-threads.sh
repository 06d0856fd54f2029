# a trace of many threads that do little is mostly holes, and the line says so
cp "$COMPILED/cli-short_threads.c.gcc" short_threads
winnow record -o t ./short_threads
test "$(stat -c %s t)" -gt 20000000
test "$(($(stat -c %b t) * 512))" -lt 4000000 || { echo "this file system knows no holes"; exit 77; }
#= stderr glob
#| winnow record: t: * MB (26.* MB with holes), * grains, libgomp by wrapping, complete*
