#!/bin/bash
# SPDX-License-Identifier: MIT
#
# engines.sh BUILD WORK [ENGINE] - what runs programs and counts is held against the programs run
# natively: what they print, how they end, and what the trace is worth; for programs that do all that
# programs can do (life/). Where there are two engines, what they have counted is held against each
# other. Prints TAP.
#
#   ENGINE                  qemu (the default) or native
#   WN_ENGINE_COMMAND       how to start a program, in place of `winnow count --engine ENGINE -o FILE`;
#                           the trace is to be ./t.winnow
#   WN_ONLY=WORDS           only cases whose name (PROGRAM CASE) has WORDS in it, a regular expression
#   WN_PARTS=life,omp,counts    which parts (default: all)
#   WN_KEEP=1               keeps what each case has printed, as CASE.out and CASE.err
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$2
engine=${3:-qemu}
winnow=$build/winnow
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES WINNOW_OUT WINNOW_BACK WINNOW_SOURCE OMP_NUM_THREADS
# shellcheck source-path=SCRIPTDIR source=../tap.bash
. "$here/../tap.bash"
parts=,${WN_PARTS:-life,omp,counts},
only=${WN_ONLY:-}
patience=120

has_engine() { # NAME
	case $1 in
	qemu) command -v "qemu-$(uname -m)" > /dev/null ;;
	*) "$winnow" count --help 2> /dev/null | grep -q -e --engine ;;
	esac
}

if [ "$(uname -m)" != x86_64 ] || { [ -z "${WN_ENGINE_COMMAND:-}" ] && ! has_engine "$engine"; }; then
	echo "1..0 # SKIP there is no engine $engine here"
	exit 0
fi

# How a program is started: into t.winnow, or FILE.
command_of() { # ENGINE FILE: into the array command
	if "$winnow" count --help 2> /dev/null | grep -q -e --engine; then
		command=("$winnow" count --engine "$1" -o "$2")
	else
		command=("$winnow" count -o "$2")
	fi
}
if [ -n "${WN_ENGINE_COMMAND:-}" ]; then
	read -r -a command <<< "$WN_ENGINE_COMMAND"
else
	command_of "$engine" t.winnow
fi

# What QEMU cannot do, and why.
why_not() { # PROGRAM CASE
	[ "$engine" = qemu ] || return 1
	case "$1 $2" in
	"faults not-canonical") echo "it says of every bad address that nothing is mapped there" ;;
	"faults floating") echo "it never raises the faults of floating-point calculation" ;;
	"processes vfork-exec" | "processes clone") echo "a vfork is a fork: the child has a memory of its own" ;;
	"processes spawn") echo "that the program is not there does not come back from the child" ;;
	"processes beside") echo "it has no processes that share one memory" ;;
	"threads cancelled-waiting" | "threads cancelled-working") echo "its frames of signals cannot be unwound" ;;
	*) return 1 ;;
	esac
}

# Ends of the program, or of what ran it, are told in the same numbers.
run() { # OUT COMMAND...
	local out=$1
	shift
	timeout -k 5 "$patience" "$@" > "$out" 2> "$out.err" < /dev/null
} 2> /dev/null

same() { # SENTENCE PROGRAM STATUS ARG...: natively and under the engine
	local sentence=$1 program=$2 wanted=$3 status native problem='' reason
	shift 3
	[[ "$sentence" =~ $only ]] || return
	rm -f ./*.winnow
	{ run plain "./$program" "$@"; } 2> /dev/null
	native=$?
	[ "$native" = "$wanted" ] || problem="natively it ends with $native and not with $wanted: $(tail -n 1 plain)"$'\n'
	{ run counted "${command[@]}" "./$program" "$@"; } 2> /dev/null
	status=$?
	[ "$status" = "$native" ] || problem+="it ends with $status and not with $native"$'\n'
	cmp -s plain counted || problem+=$(diff plain counted | head -n 8)$'\n'
	if [ -e t.winnow ]; then
		"$winnow" check t.winnow > checked 2>&1 || problem+="winnow check: $(head -n 3 checked)"$'\n'
	else
		problem+="there is no trace"$'\n'
	fi
	if [ -n "$problem" ]; then
		problem+=$(grep -v '^winnow count: ' counted.err | tail -n 5)
	fi
	if reason=$(why_not "$program" "${1:-}"); then
		sentence+=" # TODO $reason"
	fi
	result "$sentence" "$problem"
	# what is known not to work is no failure
	[ -z "$problem" ] || [ "${sentence/\# TODO/}" = "$sentence" ] || n_failed=$((n_failed - 1))
	[ -z "${WN_KEEP:-}" ] || mv counted.err "${sentence//[^a-z0-9]/-}.err"
}

flags=(-std=gnu17 -D_GNU_SOURCE -O2 -g -fopenmp -pthread)
lives() { # PROGRAM: each of its cases
	local name status
	"./$1" list > "$1.list"
	while read -r name status; do
		same "$1 $name" "$1" "$status" "$name"
	done < "$1.list"
}

if [[ $parts == *,life,* ]]; then
	for source in "$here"/life/*.c; do
		program=$(basename "$source" .c)
		gcc "${flags[@]}" "$source" -o "$program" -lm -ldl > why 2>&1 || {
			result "$program: is compiled" "$(cat why)"
			continue
		}
		lives "$program"
	done
fi

done_testing
