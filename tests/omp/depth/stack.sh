#!/bin/bash
# SPDX-License-Identifier: MIT
#
# stack.sh BUILD - recording takes at most 64 bytes of stack more for each level of nested tasks, whatever compiled
# the program, and so a program that uses the stack nearly up is still there. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

# The bar, in bytes.
most() { # runtime, kind
	case ${1##*/},$2 in
	own,copied | own,large) echo 80 ;; # 16 of them in libgomp's copy of the arguments, which it makes on the stack
	*) echo 64 ;;
	esac
}

# How many bytes more; "# " and figures for the log.
more() { # compiler, runtime, depth, kind, threads
	local plain recorded
	plain=$(with_runtime "$2" timeout 60 "$program" "$3" "$4" "$5")
	rm -f trace
	recorded=$(with_runtime "$2" timeout 60 "$build/winnow" record -o trace "$program" "$3" "$4" "$5" 2> log)
	if [ -z "$plain" ] || [ -z "$recorded" ]; then
		echo "$4: the program failed: $(tail -n 1 log)"
	elif [ $((recorded - plain)) -gt "$(most "$2" "$4")" ]; then
		echo "$4, $3 levels, $5 threads: $plain bytes a level, recorded $recorded"
	fi
	echo "# ${2##*/} $4, $3 levels, $5 threads: $plain bytes a level, recorded $recorded" >> figures
}

for compiler in gcc $clangs; do
	for level in $(one_of "depth $compiler" -O0 -O1 -O2 -O3); do
		program=$(compiled depth levels.c "$compiler $level") || continue
		rm -f figures
		# few levels are run from inside waits, and more where they are created
		result "$compiler $level" "$(
			for runtime in $(runtimes_of $compiler); do
				for kind in tied untied undeferred group depend detach taskloop waited waiting copied large; do
					deep=2000
					case $kind,${runtime##*/} in
					# libomp before 19 fails an assertion of its own in a team of one
					detach,14 | detach,16) continue ;;
					# an entry point that came with libomp 15
					waited,14 | waiting,14) grep -q __kmpc_omp_taskwait_deps_51 "$program" && continue ;;
					copied,own) ;;
					copied,*) continue ;; # clang has no such tasks
					large,*) deep=300 ;;
					esac
					more $compiler "$runtime" $deep $kind 1
					more $compiler "$runtime" 40 $kind 1
				done
			done
		)"
		cat figures
	done
done
done_testing
