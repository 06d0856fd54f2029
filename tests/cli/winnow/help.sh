#: help
# --help lists the verbs on stdout
winnow --help
#= stdout glob
#| usage: winnow VERB*verbs:*run *record *doctor *see winnow(1)
#: help-option
# VERB --help is the same as help VERB, for every verb
for verb in $(winnow --help | sed -n '/^verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	winnow help "$verb" > a
	winnow "$verb" --help > b
	cmp a b
	winnow "$verb" -h > b
	cmp a b
	echo "$verb" >> verbs
	grep -q "^see winnow-$verb(1)" a
done
test "$(wc -l < verbs)" -ge 3
#: help-unknown
# help for an unknown verb is a usage error
winnow help blow
#= exit 2
#= stderr
#| winnow: unknown verb 'blow'; see winnow --help
#: help-verb
# help VERB prints the verb's option table
winnow help record
#= stdout glob
#| usage: winnow record [[]OPTION]... [[]--] PROG [[]ARG]...
#|
#| Record *
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
#: no-verb
# without a verb the usage goes to stderr
winnow
#= exit 2
#= stderr glob
#| usage: winnow VERB*winnow run ./program*
#: unknown-option
# an unknown option before the verb is a usage error
winnow --blow record true
#= exit 2
#= stderr
#| winnow: unknown option '--blow'; options follow the verb, see winnow --help
#: unknown-verb
# an unknown verb is a usage error
winnow blow
#= exit 2
#= stderr
#| winnow: unknown verb 'blow'; see winnow --help
#: version
# --version prints one line
winnow --version
#= stdout glob
#| winnow [0-9]*.[0-9]*.[0-9]*
