# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# tap.bash - what scripts that print TAP share. Sourced.

n=0 n_failed=0

say() { # ok or not ok, sentence
	n=$((n + 1))
	[ "$1" = ok ] || n_failed=$((n_failed + 1))
	echo "$1 $n - $2"
}

result() { # sentence, what speaks against it
	if [ -z "$2" ]; then
		say ok "$1"
	else
		say "not ok" "$1"
		head -n 20 <<< "$2" | cut -c 1-200 | sed 's/^/# /'
	fi
}

done_testing() {
	echo "1..$n"
	[ "$n_failed" -eq 0 ]
}
