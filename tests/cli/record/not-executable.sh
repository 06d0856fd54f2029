# a file that is not executable is a usage error
echo text > text
winnow record ./text
#= exit 2
#= stderr
#| winnow record: ./text: is not executable
