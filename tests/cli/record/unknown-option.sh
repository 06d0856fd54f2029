# an unknown option is a usage error
winnow record --blow true
#= exit 2
#= stderr
#| winnow record: unknown option '--blow'; see winnow help record
