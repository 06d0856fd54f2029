# output that cannot be written is a failure
winnow --help > /dev/full
#= exit 1
#= stderr
#| winnow: standard output: write error
