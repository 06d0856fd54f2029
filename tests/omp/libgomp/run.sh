#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh - builds each program with the installed gcc, records it on the installed libgomp and
# checks the trace. TAP.
#
#   run.sh RECORDER CHECK BUILDDIR [PROGRAM...]
#
# A program's "EXPECT: name value" lines hold for every number of threads T; the value is shell
# arithmetic. What is not expected is still checked against the rules of stream.c.
recorder=$(realpath "$1") check=$(realpath "$2") dir=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- "$here"/programs/*
mkdir -p "$dir"
n=0 failed=0

report() { # ok|not ok, text
	n=$((n + 1))
	echo "$1 $n - $2"
	[ "$1" = ok ] || failed=1
}

build() { # source, options, program
	case $1 in
	*.c) gcc -fopenmp -g $2 "$1" -o "$3" ;;
	*.cc) g++ -fopenmp -g $2 "$1" -o "$3" ;;
	*.f90) gfortran -fopenmp -g $2 -J "$dir" "$1" -o "$3" ;;
	esac
}

record() { # program, threads
	rm -f "$dir/trace.winnow"
	WINNOW_OUT=$dir/trace.winnow LD_PRELOAD=$recorder OMP_NUM_THREADS=$2 OMP_DYNAMIC=false \
		OMP_CANCELLATION=true timeout 60 "$1"
}

# Prints what differs from the expectations.
differences() { # source, threads
	T=$2
	sed -n 's/.*EXPECT: //p' "$1" | while read -r name value; do
		eval "want=\$(($value))"
		got=$(sed -n "s/^$name //p" "$dir/counts")
		[ "$got" = "$want" ] || echo "# $name: $got, expected $want = $value"
	done
}

if ! command -v gcc >/dev/null; then
	echo "1..0 # SKIP no gcc"
	exit 0
fi
for source in "$@"; do
	name=$(basename "$source")
	cancelled=
	case $name in cancel*) cancelled=--cancelled ;; esac
	for options in -O0 -O2; do
		if ! build "$source" $options "$dir/program" 2>"$dir/errors"; then
			sed 's/^/# /' "$dir/errors"
			report "not ok" "$name $options builds"
			continue
		fi
		for threads in 1 2 4 8; do
			record "$dir/program" $threads >"$dir/output" 2>&1
			status=$?
			"$check" $cancelled "$dir/trace.winnow" >"$dir/counts"
			broken=$?
			grep '^#' "$dir/counts"
			wrong=$(differences "$source" $threads)
			if [ $status$broken = 00 ] && [ -z "$wrong" ]; then
				report ok "$name $options, $threads threads"
			else
				sed 's/^/# /' "$dir/output"
				[ -z "$wrong" ] || echo "$wrong"
				report "not ok" "$name $options, $threads threads: exit $status, check $broken"
			fi
		done
	done
done
echo "1..$n"
exit $failed
