# a program that is not on the PATH is a usage error
winnow record winnow-has-no-such-program
#= exit 2
#= stderr
#| winnow record: winnow-has-no-such-program: no such program
