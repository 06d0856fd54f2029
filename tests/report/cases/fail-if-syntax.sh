# An expression that is none is a usage error, before the file is looked at
winnow report missing.winnow --fail-if "parallelism=4"
#= exit 2
#= stderr
#| winnow report: --fail-if 'parallelism=4': column 12: expected an operator, found '='; equality is ==; see winnow help report
