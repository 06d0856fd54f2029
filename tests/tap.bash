# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# tap.bash - what scripts that print TAP share. Sourced.

n=0 n_failed=0

# libomp registers a process in a file of its number, which stays where the process is killed; if that was before
# anything was written to it, the next process of that number refuses to begin ("OMP: Error #15").
forget_dead_runtimes() {
	local registered process
	for registered in /dev/shm/__KMP_REGISTERED_LIB_*; do
		process=${registered#*_LIB_}
		[ -d "/proc/${process%%_*}" ] || rm -f "$registered" 2> /dev/null
	done
}
forget_dead_runtimes

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
