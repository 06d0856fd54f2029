# a program that does not exist is a usage error, and leaves no file
winnow record ./nothing || status=$?
ls
exit "$status"
#= exit 2
#= stderr
#| winnow record: ./nothing: no such program
