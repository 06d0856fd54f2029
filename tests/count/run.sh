#!/bin/bash
# SPDX-License-Identifier: MIT
#
# run.sh BUILD WORK [ENGINE] - `winnow count` on grains whose instructions are known (kernel.c), by each
# compiler: exact, the same on any number of threads and in any run, and all accounts together are
# all instructions that the emulator has executed. Prints TAP. WN_CHOICE=all: ten runs of each.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
# shellcheck source-path=SCRIPTDIR source=../here.bash
. "$(dirname "$0")/../here.bash"
work=$2
engine=${3:-qemu}
winnow=$build/winnow
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES WINNOW_OUT WINNOW_BACK WINNOW_SOURCE
number=0
failed=0

check() { # SENTENCE COMMAND...: does the command succeed?
	local sentence=$1
	shift
	number=$((number + 1))
	if "$@" > why 2>&1; then
		echo "ok $number - $sentence"
	else
		echo "not ok $number - $sentence"
		sed 's/^/# /' why
		failed=1
	fi
}

case $(uname -m).$engine in
x86_64.qemu) is_there=$(qemu-x86_64 -help 2> /dev/null | grep "^-plugin") ;;
x86_64.native) is_there=$(ls "$build/libwinnow-native.so" 2> /dev/null) ;;
*) is_there= ;;
esac
if [ -z "$is_there" ]; then
	echo "1..0 # SKIP the kernel is for x86-64, and there is no engine $engine; tools/setup.sh test installs it"
	exit 0
fi

# The columns of a recording, by name, one line for each grain: name, then numbers.
columns=instructions,mem_reads,mem_writes,mem_read_bytes,mem_write_bytes,stack_reads,stack_writes
columns=$columns,footprint_lines,footprint_addresses,mix_integer,mix_move,mix_branch,mix_call
table() { # FILE COLUMNS
	"$winnow" export "$1" --format csv 2> /dev/null | awk -F, -v wanted="$2" '
		/^#/ { next }
		!n { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, w, ","); next }
		{
			line = ""
			for (i = 1; i <= n; i++)
				line = line (i > 1 ? "," : "") (w[i] in at ? $at[w[i]] : "?" w[i])
			print line
		}'
}

# What each row has more than the one before, of a recording's first tasks in order.
steps() { # FILE
	table "$1" "lineage,$columns" | grep -E '^P0\.s0\.[1-8],' | sort |
		awk -F, 'NR > 1 { for (i = 2; i <= NF; i++) printf "%d%s", $i - was[i], i < NF ? "," : "\n" }
			{ for (i = 2; i <= NF; i++) was[i] = $i }' | uniq -c
}

# instructions, reads, writes, bytes of both, stack, lines, addresses, integer, move, branch, call
known="5000,1000,1000,8000,8000,0,0,1000,2000,2000,2000,1000,0"

tasks_are_known() { # FILE
	local found
	found=$(steps "$1")
	echo "found: $found"
	[ "${found#"${found%%[! ]*}"}" = "7 $known" ]
}

# Besides the kernel's, there are a few instructions in each chunk; not the same in a thread's first
# one, which the program asks for elsewhere.
chunks_are_known() { # FILE
	table "$1" "lineage,$columns" | grep -E '^P0\.L0' | sort | awk -F, '
		{ print }
		$1 == "P0.L0[0:8)" { whole = $2 - 36 * 5000 < 500 && $4 - 36 * 1000 < 20 } # libomp, one thread
		{
			n = ++rows
			bad += $2 - 5000 * n < 10 || $2 - 5000 * n > 60 || $3 - 1000 * n > 10 || $4 != 1000 * n + 2
			bad += $6 - 8000 * n > 20 || $9 - 1000 * n > 10 || $9 < 1000 * n || $10 - 2000 * n > 10
		}
		END { exit !whole && (rows != 8 || bad) }'
}

# The task that is suspended touches again what it has touched before.
suspended_is_known() { # FILE
	table "$1" "lineage,instructions,footprint_lines,footprint_addresses" | awk -F, '
		$1 == "P0.s0.9" {
			print
			good = $2 > 15000 && $2 < 15060 && $3 >= 2000 && $3 < 2010 && $4 >= 4000 && $4 < 4020
		}
		END { exit !good }'
}

# What each task has more than the first one, a round, against what its form is known to do.
forms_are_known() { # FILE FORMS
	table "$1" "lineage,instructions,mem_reads,mem_read_bytes,mem_writes,mem_write_bytes,footprint_addresses" |
		sed -n 's/^P0\.s0\.\([0-9]*\),/\1,/p' | sort -n | tr , ' ' > found
	paste -d ' ' found "$2" | awk '
		NR == 1 { for (i = 2; i <= 7; i++) first[i] = $i }
		{
			line = ""
			for (i = 2; i <= 7; i++) {
				# which branch of the program it is takes some instructions
				more = $i - first[i]
				more = i == 7 ? more : i == 2 ? int(more / 1000) : more / 1000
				line = line (i > 2 ? " " : "") more
				bad = i == 2 && $i - first[i] - 1000 * $8 > 400 ? bad + 1 : bad
			}
			known = $8 " " $9 " " $10 " " $11 " " $12 " " $13
			if (line != known) { print "found", line, "known", $0; bad++ }
		}
		END { exit bad || NR < 50 }'
}

rows() { # FILE COLUMNS: of all tasks, in order
	table "$1" "lineage,$2" | grep -E '^P0\.s0\.' | sort
}

is_said_no_time() {
	"$winnow" report -v "$1" | grep -qE "ran in an emulator|was followed instruction by instruction" &&
		"$winnow" report "$1" --json | jq -e '(.program.emulator | test("^(qemu|winnow)-")) and .advice == [] and .near == []'
}

places_have_names() { # FILE
	"$winnow" report -v "$1" > text && cat text && grep -q ' kernel\.c:[0-9]' text && ! grep -q '^  0x[0-9a-f]' text
}

adds_up() { # FILE CHECK: what the trace has, in all accounts, against what was executed
	local all
	all=$("$winnow" report "$1" --json |
		jq '[.counters[]? | select(.name == "instructions" or .name == "runtime_instructions") | .total] | add')
	awk -v trace="$all" '{ v[$1] = $2 } END {
		print "one by one", v["every"], "again", v["again"], "by blocks", v["instructions"], "in the trace", trace
		print "accesses that are not what was known beforehand", v["unexpected"]
		if (v["unexpected"] != 0) exit 1
		# what runs behind the end of the recording is in no trace
		exit !(v["every"] - v["again"] == v["instructions"] && trace <= v["instructions"] && trace > 0)
	}' "$2"
}

count() { # THREADS FILE ARG...
	local threads=$1 file=$2
	shift 2
	OMP_NUM_THREADS=$threads "$winnow" count --engine "$engine" -o "$file" "$@"
}

runs=3
[ "${WN_CHOICE:-}" != all ] || runs=10
for compiler in gcc "$oldest_clang"; do
	command -v "$compiler" > /dev/null || continue
	"$compiler" -O2 -g -fopenmp "$here/kernel.c" -o "kernel.$compiler" || continue
	for threads in 1 2 4; do
		file=$compiler.$threads.winnow
		check "$compiler, $threads threads: runs" \
			count "$threads" "$file" --check check "./kernel.$compiler"
		check "$compiler, $threads threads: each instruction is counted once" adds_up "$file" check
		check "$compiler, $threads threads: tasks differ by what is known" tasks_are_known "$file"
		check "$compiler, $threads threads: chunks have what is known" chunks_are_known "$file"
		check "$compiler, $threads threads: a suspended task goes on with its footprint" \
			suspended_is_known "$file"
		rows "$file" "$columns" > "$compiler.$threads.table"
		check "$compiler, $threads threads: all tasks are as on one" \
			diff "$compiler.1.table" "$compiler.$threads.table"
	done
	with=()
	if [ "$engine" = native ] && grep -qw xsaveopt /proc/cpuinfo; then
		with=(-DWITH_STATE)
		! grep -qw avx512bw /proc/cpuinfo || with+=(-DWITH_MASKS)
	fi
	# they are of processors with AVX2 and FMA, as QEMU's is
	if [ "$engine" = qemu ] || { grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; }; then
		"$compiler" -O2 -g -fopenmp "${with[@]}" "$here/forms.c" -o "forms.$compiler"
		count 2 forms.winnow --check check "./forms.$compiler" > known.forms 2> why
		check "$compiler: what reads and writes memory does so as known" forms_are_known forms.winnow known.forms
		check "$compiler: no access of it is another one" adds_up forms.winnow check
		count 2 forms.winnow "./forms.$compiler" > known.forms 2> why
		check "$compiler: and so it does where accesses are told together" \
			forms_are_known forms.winnow known.forms
	fi
	for run in $(seq 2 "$runs"); do
		count 2 again.winnow "./kernel.$compiler" > /dev/null 2>&1
		rows again.winnow "$columns" > again.table
		check "$compiler: run $run is as the first" diff "$compiler.1.table" again.table
	done
	check "$compiler: places have names in the emulator" places_have_names "$compiler.2.winnow"
	check "$compiler: the report says that times are the emulator's" is_said_no_time "$compiler.2.winnow"
	count 2 plain.winnow --no-footprint "./kernel.$compiler" > /dev/null 2>&1
	for file in plain.winnow "$compiler.2.winnow"; do
		rows "$file" "instructions,mem_reads,stack_reads" > "$file.table"
	done
	check "$compiler: without the footprint, the rest is the same" \
		diff plain.winnow.table "$compiler.2.winnow.table"
done

# What becomes of programs: exit statuses, scripts, static programs.
cat > end.c << 'EOF'
#include <signal.h>
#include <stdlib.h>
int main(int n, char **v) { (void)v; if (n > 1) raise(SIGTERM); return 7; }
EOF
gcc end.c -o end && gcc -static end.c -o end.static 2> /dev/null
exits_with() { # STATUS WORD COMMAND...: that status, and the word on stderr
	local wanted=$1 word=$2 status
	shift 2
	"$@" > out 2> err
	status=$?
	echo "status $status"
	cat err
	[ "$status" = "$wanted" ] && grep -q "$word" err
}
check "the program's exit status is passed on" exits_with 7 "nothing recorded" "$winnow" count --engine "$engine" ./end
check "so is a signal" exits_with 143 "nothing recorded" "$winnow" count --engine "$engine" ./end kill
printf '#!/bin/sh\n./kernel.gcc > /dev/null\nexit 7\n' > script && chmod +x script
counts_script() {
	OMP_NUM_THREADS=2 exits_with 7 "complete" "$winnow" count --engine "$engine" -o script.winnow ./script || return 1
	rows script.winnow "$columns" | diff gcc.1.table -
}
if [ "$engine" = qemu ]; then
	check "a script is refused" exits_with 2 "script" "$winnow" count --engine "$engine" ./script
else
	check "what a script starts is counted" counts_script
fi
if [ -x end.static ]; then
	check "a static program is refused" exits_with 2 "statically linked" "$winnow" count --engine "$engine" ./end.static
fi
# Only the one that took place; carried counts say whose it was.
named_execs() {
	local note='.fidelity[] | select(.construct == "exec") | "\(.count) \(.note)"' text
	text="ran uncounted: 1"
	"$winnow" record -o timed.winnow ./starts ./end.static && "$winnow" check starts.winnow || return 1
	{
		"$winnow" report --json starts.winnow | jq -r "$note"
		"$winnow" report --json timed.winnow | jq -r "$note"
		"$winnow" report --json --counts starts.winnow timed.winnow | jq -r "$note"
		"$winnow" dump starts.winnow | grep '^execs-uncounted'
	} > named
	printf '%s\n' "1 programs started by exec $text" "1 programs started by exec in the counted run $text" \
		"execs-uncounted 1" | diff - named
}
cat > starts.c << 'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int n, char **v)
{
#pragma omp parallel
#pragma omp single
#pragma omp task
	n++;
	if (fork() == 0) {
		execl("/nowhere/at/all", v[0], (char *)0);
		execl(v[1], v[1], (char *)0);
	}
	wait(NULL);
	return n - 3;
}
EOF
is_silent() { # no word of programs that were not counted
	"$winnow" count --engine "$engine" -o "$1" ./starts /bin/true 2> err && ! grep -q exec err &&
		"$winnow" report --json "$1" | jq -e '[.fidelity[] | select(.construct == "exec")] == []'
}
if gcc -fopenmp starts.c -o starts && [ -x end.static ]; then
	check "what is started by exec and cannot be counted is said to be so" \
		exits_with 0 "1 program started by exec ran uncounted" \
		"$winnow" count --engine "$engine" -o starts.winnow ./starts ./end.static
	check "and by the report of the recording, and of a run that has its counts" named_execs
fi
[ "$engine" = qemu ] || check "what can be counted is" is_silent silent.winnow
# A far return is not followed: what comes behind it is not counted, and nobody is to take it for nothing.
cat > lost.c << 'EOF'
#include <stdio.h>
static volatile int sum;
static void work(int lose)
{
	if (lose)
		__asm__ volatile("leaq 1f(%%rip), %%rax\n\tpushq $0x33\n\tpushq %%rax\n\tlretq\n1:" ::: "rax", "memory");
	for (int i = 0; i < 1000; i++)
		sum += i;
}
int main(void)
{
#pragma omp parallel num_threads(1)
#pragma omp single
	for (int i = 0; i < 4; i++) {
#pragma omp task
		work(i == 1);
#pragma omp taskwait
	}
	return printf("%d\n", sum) < 0;
}
EOF
lost_is_said() {
	"$winnow" count --engine native -o lost.winnow ./lost 2> err && cat err &&
		grep -q "1 thread executed code that winnow-x86_64 cannot follow, and is not counted from there on" err &&
		"$winnow" report --json lost.winnow | jq -e 'any(.fidelity[]; .construct == "instructions" and .count > 0)' &&
		table lost.winnow "lineage,instructions" > rows && cat rows &&
		grep -qE '^P0\.s0\.1,[0-9]{4}' rows && grep -qE '^P0\.s0\.[34],$' rows
}
if [ "$engine" = native ] && gcc -O1 -fopenmp lost.c -o lost; then
	check "a thread that is lost is said to be" lost_is_said
fi
falls_back() { # what is not there is not loaded
	mkdir -p part && cp "$build/winnow" "$build/libwinnow-record.so" "$build/libwinnow-qemu.so" part &&
		part/winnow count -v -o part.winnow ./starts /bin/true 2> err && cat err && ! grep -q 'ld.so' err &&
		grep -q 'counted by qemu-x86_64; libwinnow-native.so is not found' err
}
[ "$engine" = native ] || check "without the native engine QEMU counts" falls_back
mkdir nowhere
mkdir -p plain && printf '#!/bin/sh\necho "-cpu model"\n' > plain/qemu-x86_64 && chmod +x plain/qemu-x86_64
check "an emulator without plug-ins is named" exits_with 1 "plain/qemu-x86_64 is built without support for plug-ins" \
	env PATH="$work/plain:$PATH" "$winnow" count --engine qemu ./end
check "a missing emulator is named" exits_with 1 "apt-get install qemu-user" \
	env PATH="$work/nowhere" "$winnow" count --engine qemu ./end
# What the engine is told from outside is wrong: the program runs as if nothing were there.
is_left_alone() {
	local value status
	: > empty.slots
	head -c 100000 /dev/urandom > noise.slots
	head -c 4096 /dev/zero > zero.slots
	for value in "" "," slots= slots=/nowhere slots=empty.slots slots=noise.slots slots=zero.slots \
		slots=/dev/null slots=/proc/self/exe slots=. "slots=noise.slots,check=/nowhere/x" check= \
		footprint=on memory=99999999999999999999 "slots=zero.slots,memory=-1,footprint=maybe" \
		"$(head -c 9000 /dev/zero | tr '\0' a)" "slots=$(head -c 9000 /dev/zero | tr '\0' a)"; do
		WINNOW_COUNT_ENGINE=$value LD_PRELOAD=$build/libwinnow-native.so ./end 2> err
		status=$?
		[ "$status" = 7 ] && [ ! -s err ] || { echo "status $status: ${value:0:80}"; cat err; return 1; }
	done
}
[ "$engine" = qemu ] || check "what the engine cannot use is as if it were not there" is_left_alone
echo "1..$number"
exit "$failed"
