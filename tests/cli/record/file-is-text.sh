# a file that is no trace is not overwritten, and the program not run
echo precious > file
winnow record -o file echo ran || status=$?
cat file
exit "$status"
#= exit 2
#= stdout
#| precious
#= stderr
#| winnow record: file: exists and is not a Winnow trace; left as it is
