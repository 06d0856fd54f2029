# an unknown option before the verb is a usage error
winnow --blow record true
#= exit 2
#= stderr
#| winnow: unknown option '--blow'; see winnow --help
