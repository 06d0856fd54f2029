# cc wants a compiler
winnow cc
#= exit 2
#= stderr
#| winnow cc: no compiler given; see 'winnow cc --help'
