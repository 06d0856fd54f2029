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
#   WN_PAIR="A B"           whose counts are compared, in place of "qemu native"; "native native-again" shows what a program does by itself
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
	qemu) "qemu-$(uname -m)" -help 2> /dev/null | grep "^-plugin" > /dev/null ;;
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

# What is known not to work: with any engine, or in QEMU.
why_not() { # PROGRAM CASE
	case "$1 $2" in
	"system filtered-to-the-bone") echo "the recorder closes its trace by calls of its own" && return ;;
	esac
	if [ "$engine" = native ]; then
		[ "$1 $2" = "faults single-steps" ] && echo "its own instructions would be stepped through"
		return
	fi
	case "$1 $2" in
	"faults not-canonical") echo "it says of every bad address that nothing is mapped there" ;;
	"faults floating") echo "it never raises the faults of floating-point calculation" ;;
	"processes vfork-exec" | "processes clone") echo "a vfork is a fork: the child has a memory of its own" ;;
	"processes spawn") echo "that the program is not there does not come back from the child" ;;
	"processes beside") echo "it has no processes that share one memory" ;;
	"threads cancelled-waiting" | "threads cancelled-working" | "unwind from-handler")
		echo "its frames of signals cannot be unwound" ;;
	"machine system-call") echo "rcx is not where the system call returns to" ;;
	"vectors masked-moves") echo "it reads what a mask leaves out" ;;
	"code mapped-twice") echo "it does not see code that is written at another address" ;;
	"code written-from-outside") echo "it has no process_vm_writev" ;;
	"unusual by-keys") echo "it has no pkey_mprotect" ;;
	"unusual bad-pointers") echo "it has no clone3" ;;
	"unusual no-transaction") echo "it does not know xend" ;;
	"unusual narrow") echo "it takes whole registers" ;;
	"signals kinds-of-stacks") echo "it does not know SS_AUTODISARM" ;;
	"system small-memory-told") echo "it passes no limit of memory on" ;;
	"system filtered"* | "system strictly") echo "it has no filters of system calls" ;;
	"system maps") echo "in its list of mappings nothing may be executed" ;;
	"system low-memory") echo "it does not know MAP_32BIT" ;;
	"random "*) echo "it does not do all forms of instructions as the processor does" ;;
	*) return 1 ;;
	esac
}

# What QEMU takes minutes for.
is_left_out() { # PROGRAM CASE
	[ "$engine $1 $2" = "qemu system much-reserved" ]
}

# Ends of the program, or of what ran it, are told in the same numbers.
run() { # OUT COMMAND...
	local out=$1
	shift
	timeout -k 5 "$patience" "$@" > "$out" 2> "$out.err" < /dev/null
} 2> /dev/null

# The last task of a case that says "end" is long; where it is not, who counts has lost the program.
loses() { # OUT TRACE: says what is missing
	[ "$(tail -n 1 "$1")" = end ] || return
	"$winnow" export "$2" --format csv 2> /dev/null | awk -F, -v counts="${WN_ENGINE_COMMAND:+no}" '
		/^#/ { next }
		!kind { for (i = 1; i <= NF; i++) { if ($i == "instructions") at = i; if ($i == "kind") kind = i }; next }
		$kind == "task" && $at > most { most = $at }
		$kind == "task" && $at != "" { known = 1 }
		END { if ((counts != "no" || known) && most < 500000) print "the last task has no more than " most + 0 " instructions: it was lost" }'
}

same() { # SENTENCE PROGRAM STATUS ARG...: natively and under the engine
	local sentence=$1 program=$2 wanted=$3 status native problem='' reason
	shift 3
	[[ "$sentence" =~ $only ]] || return 0
	if is_left_out "$program" "${1:-}"; then
		say ok "$sentence # SKIP it takes minutes"
		return 0
	fi
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
		problem+=$(loses counted t.winnow)
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

# With the choice every third case runs, and of QEMU, which is not ours, and slow, every fourth; other ones for each choice.
is_chosen() { # PROGRAM CASE
	local of=3
	[ "$engine" != qemu ] || of=4
	turn "life $1 $2" $of
	[ "$WN_CHOICE" = all ] || [ -n "$only" ] || [ "$turn" -eq 0 ]
}

lives() { # PROGRAM: each of its cases
	local name status
	"./$1" list > "$1.list"
	while read -r name status; do
		is_chosen "$1" "$name" || continue
		same "$1 $name" "$1" "$status" "$name"
	done < "$1.list"
}

if [[ $parts == *,life,* ]]; then
	for number in 5 7; do
		cp "$(compiled life-library code.c "gcc -DLIBRARY=$number")" "code.$number.so" || result "code.c: is compiled" "it is not"
	done
	for source in "$here"/life/*.*; do
		name=${source##*/}
		[ "${name##*.}" != h ] || continue
		if ! program=$(compiled life "$name" gcc); then
			say ok "$name # SKIP not compiled here"
			continue
		fi
		cp "$program" "${name%.*}" && lives "${name%.*}"
	done
	# A static program has nothing that could be preloaded; it is refused before it runs.
	if gcc -static -std=gnu17 -D_GNU_SOURCE -O2 -fopenmp -pthread "$here/life/signals.c" -o static -lm -ldl 2> why; then
		"${command[@]}" ./static plain > out 2> out.err < /dev/null
		status=$?
		problem=''
		[ "$status" = 2 ] || problem="it ends with $status and not with 2"
		grep -q 'statically linked' out.err || problem+=$'\n'$(cat out.err)
		result "a static program is refused" "$problem"
	fi
fi

columns=instructions,mem_reads,mem_writes,mem_read_bytes,mem_write_bytes,stack_reads,stack_writes
columns=$columns,footprint_lines,footprint_addresses
columns=$columns,mix_integer,mix_float,mix_vector,mix_move,mix_branch,mix_call,mix_other

table() { # FILE: a line for each grain, name first
	"$winnow" export "$1" --format csv 2> /dev/null | awk -F, -v wanted="lineage,$columns" '
		/^#/ { next }
		!n { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, w, ","); next }
		{
			line = ""
			for (i = 1; i <= n; i++)
				line = line (i > 1 ? "," : "") (w[i] in at ? $at[w[i]] : "?")
			print line
		}' | sort
}

# Programs of OpenMP: quick ones, whose grains do not depend on time.
tasks=("alignment 8 60" "fft 4096 256" "fib 18 6" "floorplan 5 2" "health 3 3 10 2" "nqueens 7 3"
	"sort 20000 1000 1000" "sparselu 6 8" "strassen 64 16" "uts 20")
others=("loops dynamic,4 100 --work=200" "loops static 100 --work=200 --nowait --loops=3"
	"loops guided 200 random --work=200 --step=-3" "taskloop 100 --work=200" "nested 2 2 2 --work=200"
	"sections 2 200" "empty 300" "depend 200" "regions 10 --work=200" "mixed all 2 200"
	"taskbench parallel 50" "taskbench nested 50" "taskbench leaf 50" "taskbench barrier 50")

lineages() { # FILE: names of all grains
	"$winnow" export "$1" --format csv 2> /dev/null | awk -F, '
		/^#/ { next }
		!at { for (i = 1; i <= NF; i++) if ($i == "lineage") at = i; next }
		{ print $at }' | sort
}

compilers=()
for compiler in gcc $oldest_clang; do
	! command -v "$compiler" > /dev/null || compilers+=("$compiler")
done

build_openmp() { # COMPILER PROGRAM
	[ -x "$2.$1" ] || cp "$(compiled bench "$2.c" "$1")" "$2.$1"
}

# The grains are those that `winnow record` finds.
same_grains() { # SENTENCE PROGRAM ARG...
	local sentence=$1 program=$2 problem=''
	shift 2
	[[ "$sentence" =~ $only ]] || return 0
	{ run counted "${command[@]}" "./$program" "$@"; } 2> /dev/null
	{ run plain "$winnow" record -o r.winnow "./$program" "$@"; } 2> /dev/null
	lineages r.winnow > wanted
	lineages t.winnow > found
	[ -s wanted ] || problem="nothing was recorded natively"
	problem+=$(diff wanted found | head -n 10)
	if [ -z "${WN_ENGINE_COMMAND:-}" ]; then
		problem+=$(table t.winnow | awk -F, '$1 ~ /s[0-9]/ && $2 + 0 == 0 { n++ } END { if (n) print n " tasks have no instructions" }')
	fi
	result "$sentence" "$problem"
}

if [[ $parts == *,omp,* ]]; then
	for words in "${tasks[@]}" "${others[@]}"; do
		read -r -a called <<< "$words"
		while read -r compiler numbers; do
			build_openmp "$compiler" "${called[0]}" || continue
			for threads in $numbers; do
				OMP_NUM_THREADS=$threads same "$compiler, $threads threads: $words" \
					"${called[0]}.$compiler" 0 "${called[@]:1}"
			done
		done < <(covering "engines $words" "${compilers[*]}" "1 3")
	done
	for words in "${tasks[@]}"; do
		read -r -a called <<< "$words"
		for compiler in $(one_of "engines, grains of $words" "${compilers[@]}"); do
			build_openmp "$compiler" "${called[0]}" || continue
			OMP_NUM_THREADS=2 same_grains "$compiler: grains of $words" "${called[0]}.$compiler" "${called[@]:1}"
		done
	done
fi

# What two engines have counted. The C library chooses among its functions by what the processor can
# do, and QEMU's can do less: the other one is told to have no more, and sizes of caches are given.
# A processor with RTM is one where VZEROUPPER is avoided, too.
# Symbols are resolved at the start, which is done by the processor's abilities too.
lacks=AVX512F,AVX512VL,AVX512BW,AVX512DQ,AVX512CD,ERMS,FSRM,RTM,XSAVEC,Fast_Unaligned_Load,Prefer_No_VZEROUPPER
alike=glibc.cpu.hwcaps=-${lacks//,/,-}:glibc.cpu.x86_data_cache_size=32768
alike=$alike:glibc.cpu.x86_shared_cache_size=1048576:glibc.cpu.x86_non_temporal_threshold=4194304
# Columns that differ: in how many grains, by how much in all and at most; then the first ten grains.
# With SMALL, differences of up to that many (eight times as many bytes), and those of lines, are left out.
compare() { # TABLE TABLE [SMALL]
	awk -F, -v names="$columns" -v small="${3:-}" '
		BEGIN { n = split(names, name, ",") }
		NR == FNR { first[$1] = $0; next }
		{
			if (!($1 in first)) { print "only in the second: " $1; next }
			split(first[$1], was, ",")
			seen[$1] = 1
			rows++
			line = ""
			for (i = 2; i <= n + 1; i++) {
				if ($i == was[i]) continue
				d = $i - was[i]
				size = d < 0 ? -d : d
				if (small != "" && (name[i - 1] == "footprint_lines" || size <= small * (name[i - 1] ~ /bytes/ ? 8 : 1)))
					continue
				line = line " " name[i - 1] " " was[i] " and " $i
				by[i]++
				sum[i] += d
				most[i] = size > most[i] ? size : most[i]
			}
			if (line != "" && ++lines <= 10) example[lines] = $1 ":" line
		}
		END {
			for (g in first) if (!(g in seen)) print "only in the first: " g
			for (i = 2; i <= n + 1; i++)
				if (by[i]) printf "%s: %d of %d grains, %+d in all, %d at most\n", name[i - 1], by[i], rows, sum[i], most[i]
			for (i = 1; i <= lines && i <= 10; i++) print example[i]
			if (!rows) print "no grain is in both"
		}' "$1" "$2"
}

record_counts() { # ENGINE PROGRAM ARG...: its table
	local which=$1 program=$2 random=()
	shift 2
	if [ -n "${WN_ENGINE_COMMAND:-}" ] && [ "$which" != qemu ]; then
		read -r -a command <<< "$WN_ENGINE_COMMAND"
	else
		command_of "${which%-again}" t.winnow
	fi
	! setarch -R true 2> /dev/null || random=(setarch -R)
	rm -f t.winnow
	{ GLIBC_TUNABLES=$alike LD_BIND_NOW=1 run counted "${random[@]}" "${command[@]}" "./$program" "$@"; } 2> /dev/null ||
		problem+="$which: it ends with $?"$'\n'
	table t.winnow > "$which.table"
}

# Where the stack and what malloc has given begin within a line, and what was freed before, depends
# on the length of the environment: so do lines, and some instructions of a grain that copies or
# allocates. The second engine may try with longer environments; what differs at best is told, and is
# a fault where it is more than SMALL.
same_counts() { # SENTENCE SMALL PROGRAM ARG...
	local sentence=$1 small=$2 program=$3 problem='' found best='' pad
	shift 3
	[[ "$sentence" =~ $only ]] || return 0
	record_counts "$first" "$program" "$@"
	for pad in 0 16 32 48; do
		WN_PAD=$(printf "%${pad}s" '') record_counts "$second" "$program" "$@"
		found=$(compare "$first.table" "$second.table" 0)
		if [ "$pad" = 0 ] || [ ${#found} -lt ${#best} ]; then
			best=$found
			cp "$second.table" best.table
		fi
		[ -n "$found" ] || break
	done
	compare "$first.table" best.table | sed -n "/ in all, /s/^/# $program: /p"
	result "$sentence" "$problem$(compare "$first.table" best.table "$small")"
}

if [[ $parts == *,counts,* ]]; then
	first=qemu second=native
	# without the other one: how much of what differs is the program's own doing
	[ "$engine" != qemu ] || second=qemu-again
	[ -z "${WN_PAIR:-}" ] || read -r first second <<< "$WN_PAIR"
	if ! has_engine qemu || { [ "$second" = native ] && [ -z "${WN_ENGINE_COMMAND:-}" ] && ! has_engine native; }; then
		say ok "counts of two engines # SKIP there is only one"
	else
		for compiler in "${compilers[@]}"; do
			for name in kernel forms; do
				cp "$(compiled kernel "$name.c" "$compiler")" "$name.$compiler" || continue
				OMP_NUM_THREADS=1 same_counts "$compiler: $first and $second count $name alike" 0 "$name.$compiler"
			done
			for words in "${tasks[@]}"; do
				[[ " $(one_of "engines, counts of $words" "${compilers[@]}") " == *" $compiler "* ]] || continue
				read -r -a called <<< "$words"
				build_openmp "$compiler" "${called[0]}" || continue
				OMP_NUM_THREADS=1 same_counts "$compiler: $first and $second count $words alike" 128 \
					"${called[0]}.$compiler" "${called[@]:1}"
			done
		done
	fi
fi

done_testing
