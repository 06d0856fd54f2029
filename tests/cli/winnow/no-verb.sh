# without a verb the usage goes to stderr
winnow
#= exit 2
#= stderr glob
#| usage: winnow VERB*winnow run ./program*
