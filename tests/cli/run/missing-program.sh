# run of a missing program is a usage error
winnow run ./nothing
#= exit 2
#= stderr
#| winnow run: ./nothing: no such program
