# help for an unknown verb is a usage error
winnow help blow
#= exit 2
#= stderr
#| winnow: unknown verb 'blow'; see winnow --help
