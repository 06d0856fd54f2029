# a file that is no trace is not overwritten, and the program not run
echo precious > file
winnow record -o file echo ran || status=$?
cat file
exit "$status"
