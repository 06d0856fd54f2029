# record without a program is a usage error
winnow record
#= exit 2
#= stderr glob
#| winnow record: missing operand; usage: winnow record *
