#!/bin/bash
# SPDX-License-Identifier: MIT
#
# ways.sh BUILD - programs that end, fork, close and limit themselves in many ways behave as without us,
# and leave a trace with what they did. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

# How, state of the trace, and what it must hold.
ways='
plain               closed     tasks 100 completed 100 implicit 4
exit                closed     tasks 100 completed 100
quick_exit          recording  tasks 100 completed 100
_exit               recording  tasks 100 completed 100
abort               recording  tasks 100 completed 100
exit-in-region      closed     tasks 100 completed 100 regions 2
exit-in-task        closed     tasks 101 completed 100 regions 2
exit-alone          closed     tasks 101 completed 100 regions 2
end-in-region       recording  tasks 100 completed 100 regions 2
thread-exit         closed     tasks 100 completed 100 regions 1
fault-in-region     recording  tasks 101 started 101 completed 100 regions 2
interrupt-in-region recording  tasks 100 completed 100 regions 2
fork-idle           closed     tasks 200 completed 200 regions 2
fork-busy           closed     tasks 200 completed 200 regions 2 implicit 5
fork-exec           closed     tasks 200 completed 200 regions 2
close-all           closed     dropped 0 tasks 20100 completed 20100 regions 2
close-meanwhile     closed     dropped 0 tasks 200100 completed 200100 regions 11
few-descriptors     closed     tasks 100 completed 100
no-descriptors      closed     tasks 200 completed 200
change-folder       closed     tasks 100 completed 100
concurrent          closed     tasks 2000 completed 2000 regions 200 implicit 400
short-lived         closed     tasks 6000 completed 6000 regions 3000 threads 3000
tiny-thread         closed     tasks 2 completed 2 regions 1
many-regions        closed     regions 20000 implicit 40000
deep                closed     tasks 10000 completed 10000
large-team          closed     tasks 100 completed 100 implicit 400 threads 200
'

# The trace of the other process, which must be the only one.
child_trace() { # tasks
	local trace
	for trace in "$work"/t.*; do
		if [ ! -e "$trace" ]; then
			why "the child has no trace"
			return
		fi
		read_trace "$trace"
		holds state closed graph sound dropped 0 tasks "$1" completed "$1"
	done
	[ "$(find "$work" -name 't.*' | wc -l)" -eq 1 ] || why "the child has several traces"
}

run_way() { # compiler, runtime, how, state, expectations
	local way=$3 state=$4
	use_runtime "$2"
	both "$work/life.$1" "$way"
	read_trace "$work/t"
	shift 4
	holds state "$state" graph sound bad_blocks 0 bad_bytes 0 gaps 0 "$@"
	holds dropped 0
	holds outline agrees
	[ -e "$(echo "$work"/t.*)" ] || same_words
	case $way in
	fork-busy) child_trace 200 ;;
	fork-exec) child_trace 30 ;;
	*) [ ! -e "$(echo "$work"/t.[0-9]*)" ] || why "a trace too many" ;;
	esac
}

compile_all || exit 1

# With the choice each way is tried on libgomp and on one libomp. By itself libomp 16 does not end without descriptors: an
# assertion about its file in /tmp fails at the exit, and it spins.
is_chosen() { # way, runtime
	local versions=$libomps
	[ "$1" != no-descriptors ] || versions=$(tr ' ' '\n' <<< "$libomps" | grep -vx 16)
	[ "$2" = libgomp ] || [[ " $(one_of "way $1" $versions) " == *" $2 "* ]]
}

while read -r compiler runtime; do
	while read -r way state expected; do
		[ -n "$way" ] || continue
		is_chosen "$way" "$runtime" || continue
		# a list of words
		# shellcheck disable=SC2086
		run_way "$compiler" "$runtime" "$way" "$state" $expected
		verdict "$way: $compiler, $runtime"
	done <<< "$ways"

	is_chosen "started in many ways" "$runtime" || continue
	use_runtime "$runtime"
	life=$work/life.$compiler
	both sh -c "ulimit -s 256; OMP_STACKSIZE=64k exec $life plain"
	read_trace "$work/t"
	holds state closed tasks 100 completed 100 graph sound
	verdict "a small stack: $compiler, $runtime"

	# 7 MB for 10000 levels: what the recorder adds to each is small.
	both sh -c "ulimit -s 7168; OMP_STACKSIZE=7m exec $life deep"
	read_trace "$work/t"
	holds state closed tasks 10000 completed 10000 graph sound
	verdict "deep, with a stack to match: $compiler, $runtime"

	both timeout 1 "$life" no-end
	read_trace "$work/t"
	holds graph sound dropped 0
	[ "$(value completed)" -ge 100 ] || why "tasks are missing"
	verdict "below timeout: $compiler, $runtime"

	both env -i "$life" plain
	grep -q 'nothing recorded' "$work/talk" || [ -e "$work/t" ] || why "nobody is told"
	verdict "an environment taken away: $compiler, $runtime"

	# Processes of one command, at once: a trace for each.
	both sh -c "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do $life plain \$i > /dev/null & done; wait"
	sum=0
	for trace in "$work"/t "$work"/t.*; do
		read_trace "$trace"
		holds state closed graph sound
		sum=$((sum + $(value tasks)))
	done
	[ "$sum" -eq 78 ] || why "$sum tasks, expected 78"
	verdict "twelve processes at once: $compiler, $runtime"

	# A user's own preload stays, behind ours or before it.
	# shellcheck disable=SC2016
	both env "LD_PRELOAD=$(gcc -print-file-name=libpthread.so.0)" sh -c \
		'case $LD_PRELOAD in *libpthread*) echo kept ;; esac'
	[ "$(cat "$work/recorded")" = kept ] || why "LD_PRELOAD is lost"
	verdict "the user's LD_PRELOAD: $compiler, $runtime"
done < <(kinds $libomps)
unset LD_LIBRARY_PATH

# Without its descriptors and the path to the file, it records what fits into its memory.
if [ "$(id -u)" -eq 0 ]; then
	both "$work/life.gcc" close-in-chroot
	read_trace "$work/t"
	holds state dead reason fd-lost graph sound bad_blocks 0 gaps 0 bad_bytes 0
	[ "$(value completed)" -ge 20100 ] || why "tasks that had ended are not there"
	[ "$(value dropped)" -gt 0 ] || why "what was lost is not counted"
	grep -q "closed the recorder's file" "$work/talk" || why "nobody is told why"
	verdict "all descriptors closed, and the file out of reach"
else
	say ok "all descriptors closed, and the file out of reach # SKIP not root"
fi

# A program with rights of its own gets no preload from the loader.
if [ "$(id -u)" -eq 0 ] && cp "$work/life.gcc" "$work/life.setuid" &&
	chown nobody "$work/life.setuid" && chmod 4755 "$work/life.setuid"; then
	chmod 755 "$work"
	both "$work/life.setuid" plain
	[ -e "$work/t" ] || grep -q 'nothing recorded' "$work/talk" || why "nobody is told"
	verdict "a program that is setuid"
else
	say ok "a program that is setuid # SKIP not root"
fi
done_testing
