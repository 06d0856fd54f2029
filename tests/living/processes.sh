#!/bin/bash
# SPDX-License-Identifier: MIT
#
# processes.sh BUILD - every process has a trace of its own, whole and under its own name: forked,
# spawned, many at once, and several recordings in one folder. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

cd "$work" || exit 1
cp "$(compiled living family.c gcc)" family.gcc || exit 1
kinds='gcc libgomp'
if program=$(compiled living family.c "$oldest_clang") && cp "$program" family.clang; then
	for version in $(one_of "processes on libomp" $two_libomps); do
		kinds+=$'\n'"clang $version"
	done
fi

# The tasks of each trace of the recording t, smallest first.
tasks_of_all() {
	local trace
	for trace in t t.*; do
		[ -e "$trace" ] || continue
		read_trace "$trace"
		holds graph sound dropped 0 gaps 0 bad_blocks 0
		[ "$(value tasks)" = "$(value completed)" ] || why "$trace: tasks that did not complete"
		value tasks
	done | sort -n | tr '\n' ' '
}

# family HOW TASKS...: the processes print the same, and their traces have these tasks.
family() {
	local how=$1
	shift
	rm -rf t t.*
	{ timeout -k 5 60 "./family.$kind" "$how"; } > plain 2> plain.talk
	local status=$?
	{ timeout -k 5 60 "$build/winnow" record -o t "./family.$kind" "$how"; } > recorded 2> "$work/talk"
	local recorded=$?
	[ $status -eq 0 ] || why "fails without us: $status"
	[ $recorded -eq $status ] || why "exit status $recorded"
	diff <(sort plain) <(sort recorded) >> why
	found=$(tasks_of_all)
	[ "$found" = "$* " ] || why "tasks of each trace: $found, expected $*"
	rm -f trace
	verdict "$how: $kind, $runtime"
}

elevens=$(printf '11 %.0s' {1..20})
while read -r kind runtime; do
	use_runtime "$runtime"
	family alone 10
	family fork-exec 10 11
	family vfork-exec 10 11
	family vfork-exit 10
	family spawn 10 11
	family system 10 11
	family fork-first 10 11
	family fork-in-region 10
	# libgomp's threads do not outlive a fork: a child that opens a region would wait for them for ever
	if [ "$kind" != gcc ]; then
		family fork-between 10 11
		# shellcheck disable=SC2086
		family fork-many 10 $elevens
		family grandchild 10 11 12
		family daemon 10 12
	fi

	# Ten children of a process whose threads open regions all the while.
	rm -rf t t.*
	timeout -k 5 60 "$build/winnow" record -o t "./family.$kind" fork-while-others-work > recorded 2> "$work/talk" || why "fails"
	[ "$(grep -c '^child 11$' recorded)" -eq 10 ] || why "children say: $(grep -c '^child 11$' recorded)"
	found=$(tasks_of_all)
	[ "$(tr ' ' '\n' <<< "$found" | grep -c '^11$')" -ge 10 ] || why "tasks of each trace: $found"
	[ "$(find . -name 't*' -name '*t.*' -o -name t | wc -l)" -eq 11 ] || why "traces: $(echo t t.*)"
	rm -f trace
	verdict "fork while others work: $kind, $runtime"

	[[ " $(one_of "many processes" libgomp libomp) " == *" ${runtime/#[0-9]*/libomp} "* ]] || continue

	# Two hundred processes, ten at a time, each with a number of tasks of its own.
	rm -rf t t.*
	seq 200 | timeout -k 5 200 "$build/winnow" record -o t xargs -P 10 -n 1 "./family.$kind" alone > recorded 2> "$work/talk" || why "fails"
	[ "$(grep -c '^parent' recorded)" -eq 200 ] || why "only $(grep -c '^parent' recorded) ran"
	[ "$(tasks_of_all)" = "$(seq 200 | tr '\n' ' ')" ] || why "tasks are in the wrong traces: $(tasks_of_all)"
	grep -q 't and 199 more, one for each process' talk || why "the line says: $(cat talk)"
	rm -f trace
	verdict "two hundred processes: $kind, $runtime"

	# The report is on the trace that is named, whatever lies beside it.
	for trace in t $(find . -name 't.*' | head -n 3); do
		read_trace "$trace"
		"$build/winnow" report --json "$trace" > report.json 2> "$work/talk" || why "no report on $trace"
		[ "$(jq .graph.explicit_tasks report.json)" = "$(value tasks)" ] || # no two traces have as many
			why "$trace: the report is on $(jq .graph.explicit_tasks report.json) tasks, not $(value tasks)"
	done
	rm -f trace
	verdict "a report on each of them: $kind, $runtime"

	# Eight recordings at once in one folder, as a launcher of MPI programs starts them.
	rm -rf ranks && mkdir ranks
	for rank in 0 1 2 3 4 5 6 7; do
		(cd ranks && OMPI_COMM_WORLD_RANK=$rank "$build/winnow" record "../family.$kind" alone $((rank + 1)) \
			> "out.$rank" 2> "talk.$rank") &
	done
	wait
	for rank in 0 1 2 3 4 5 6 7; do
		read_trace "ranks/family.$kind.$rank.winnow"
		holds state closed graph sound tasks $((rank + 1))
	done
	[ "$(find ranks -name '*.winnow*' | wc -l)" -eq 8 ] || why "traces: $(ls ranks)"
	rm -f trace
	verdict "a recording for each rank: $kind, $runtime"
	unset LD_LIBRARY_PATH
done <<< "$kinds"

# One name for a recording that is still being written, and for another one.
rm -rf t t.*
mkfifo gate
"$build/winnow" record -o t sh -c "./family.gcc alone 7; cat gate; ./family.gcc alone 8" > first 2> first.talk &
sleep 0.5
while [ ! -s first ]; do sleep 0.1; done
rm -f held
cat > hold.c << 'END'
#include <unistd.h>
int main(void)
{
	int n = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 9; i++) {
#pragma omp task shared(n)
#pragma omp atomic
		n++;
	}
	char byte;
	while (read(0, &byte, 1) > 0)
		;
	return n != 9;
}
END
gcc -O1 -fopenmp hold.c -o hold || exit 1
mkfifo second
"$build/winnow" record -o held ./hold < second > recorded 2> held.talk &
exec 9> second
while [ ! -s held ]; do sleep 0.1; done
"$build/winnow" record -o held ./family.gcc alone 5 > recorded 2> other.talk || why "fails"
exec 9>&-
echo > gate
wait
read_trace held
holds state closed graph sound tasks 9
other=$(find . -name 'held.[0-9]*')
[ -n "$other" ] || why "the second one has no trace: $(cat other.talk)"
read_trace "$other"
holds state closed graph sound tasks 5
grep -q "${other#./}:" other.talk || why "the line names another file: $(cat other.talk)"
grep -q 'held: .*complete' held.talk || why "the first one says: $(cat held.talk)"
rm -f trace
verdict "a trace that is being written is left alone"
"$build/winnow" record -o held ./family.gcc alone 5 > recorded 2> other.talk || why "fails"
read_trace held
holds state closed graph sound tasks 5
[ "$(find . -name 'held*' -not -name '*.talk' -not -name 'held.old*' | wc -l)" -eq 1 ] || why "the companions still have their names: $(echo held*)"
verdict "and replaced once it is not"

# The same number of a process again, in namespaces of their own: file names and reports stay apart.
if unshare -pf --mount-proc true 2> "$work/talk"; then
	rm -rf t t.*
	# shellcheck disable=SC2016
	"$build/winnow" record -o t sh -c 'for i in 1 2 3 4 5; do unshare -pf --mount-proc ./family.gcc alone $i; done' \
		> recorded 2> "$work/talk" || why "fails"
	[ "$(tasks_of_all)" = "1 2 3 4 5 " ] || why "tasks of each trace: $(tasks_of_all)"
	rm -f trace
	verdict "five processes with the number 1"
else
	say ok "five processes with the number 1 # SKIP no namespaces here"
fi

# Python's multiprocessing, with OpenMP in a library.
if command -v python3 > /dev/null && python3 -c 'import multiprocessing, ctypes' 2> "$work/talk"; then
	cp "$(compiled library library.c gcc)" library.so || exit 1
	cat > pool.py << 'END'
import ctypes, multiprocessing, sys

def work(n):
    return ctypes.CDLL(sys.argv[1]).work(n)

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[2]).Pool(3, maxtasksperchild=1) as pool:
        print(sorted(pool.map(work, [5, 6, 7], chunksize=1)))
END
	for method in fork spawn forkserver; do
		rm -rf t t.*
		timeout -k 5 60 python3 pool.py "$work/library.so" $method > plain 2> plain.talk || why "fails without us"
		timeout -k 5 100 "$build/winnow" record -o t python3 pool.py "$work/library.so" $method > recorded 2> "$work/talk" || why "fails"
		cmp -s plain recorded || why "output differs: $(tail -n 1 recorded)"
		[ "$(tasks_of_all)" = "5 6 7 " ] || why "tasks of each trace: $(tasks_of_all)"
		rm -f trace
		verdict "Python's multiprocessing by $method"
	done
else
	say ok "Python's multiprocessing # SKIP no python3"
fi
done_testing
