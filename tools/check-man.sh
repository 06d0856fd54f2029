#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-man.sh WINNOW MANDIR - every page is free of warnings, every verb has a page, and every option
# of a verb is in its page. Prints TAP.
set -eu

if [ $# -ne 2 ]; then
	echo "usage: check-man.sh WINNOW MANDIR" >&2
	exit 2
fi
winnow=$(realpath "$1")
verbs=$("$winnow" --help | sed -n '/^verbs:/,/^$/s/^  \([a-z+]*\) .*/\1/p')
[ -n "$verbs" ] || exit 1
cd "$2"
if ! command -v man > /dev/null; then
	echo "1..0 # SKIP man is missing"
	exit 0
fi

number=0
# result SENTENCE COMPLAINTS
result() {
	number=$((number + 1))
	if [ -z "$2" ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}

# A page may be another name of one: .so man1/NAME
page_of() {
	other=$(sed -n 's,^\.so man1/,,p' "winnow-$1.1")
	echo "${other:-winnow-$1.1}"
}

for page in *.[1357]; do
	if grep -q '^\.so ' "$page"; then
		continue
	fi
	result "$page is free of warnings" \
		"$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l "./$page" 2>&1 > /dev/null)"
done
for verb in $verbs; do
	lacking=
	if [ ! -e "winnow-$verb.1" ]; then
		lacking="man/winnow-$verb.1"
	else
		page=$(sed 's/\\-/-/g' "$(page_of "$verb")") # a dash is written \-
		for option in $("$winnow" help "$verb" | sed -n '/^options:/,/^$/s/^  .*  *--\([a-z-]*\).*/\1/p'); do
			case $page in
			*"--$option"*) ;;
			*) lacking="$lacking --$option" ;;
			esac
		done
	fi
	result "winnow-$verb(1) has all options of winnow $verb" "$lacking"
done
echo "1..$number"
