# an unknown verb is a usage error
winnow blow
#= exit 2
#= stderr
#| winnow: unknown verb 'blow'; see winnow --help
