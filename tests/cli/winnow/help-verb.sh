# help VERB prints the verb's option table
winnow help record
#= stdout glob
#| usage: winnow record [[]OPTION]... [[]--] PROG [[]ARG]...
#|
#| Records *
#|
#| options:
#|   -o, --output FILE *
#|   -v, --verbose *
#|   -h, --help *show this help
#|
#| examples:
#|   winnow record *
#|
#| see winnow-record(1)
