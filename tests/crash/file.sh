#!/bin/bash
# SPDX-License-Identifier: MIT
#
# file.sh BUILD - whatever is done to the trace file and to the channel while a program is recorded, the
# program behaves as without us; whatever process is killed, no file by the trace's name is unreadable.
# TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

recorder=$build/libwinnow-record.so

# What is done to the file $1 while the program records.
cut() { : > "$1"; }
cut-within() { truncate -s 5000 "$1"; }
cut-blocks() { truncate -s 140000 "$1"; }
cut-often() { for ((i = 0; i < 10; i++)); do truncate -s $((4096 + RANDOM * 10)) "$1"; sleep 0.01; done; }
unlink() { rm "$1"; }
rename() { mv "$1" "$1.moved"; }
replace() { echo "other" > "$work/other" && mv "$work/other" "$1"; }
overwrite() { cat /bin/bash > "$1"; }
append() { cat /bin/bash >> "$1"; }
protect() { chmod 000 "$1"; }
extend() { truncate -s 100M "$1"; }
fill-start() { dd if=/bin/bash of="$1" conv=notrunc bs=70000 count=3 2> "$work/ignored"; }

# Memory of traces in our folder must not stay.
no_memory_left() {
	[ "$("$look" --memory "$work/")" -eq 0 ] || why "memory is left: $(ipcs -m)"
}

meddle() { # compiler, way
	rm -rf "$work"/t "$work"/t.* "$work/trace" "$work/other" "$work/counters" "$work/enough"
	(timeout 60 "$build/winnow" record -k -o "$work/t" "$work/steady.$1" "$work/counters" "$work/enough" > "$work/recorded"
		echo $? > "$work/status") 2> "$work/talk" &
	tasks_more 20000
	$2 "$work/t"
	tasks_more 20000
	: > "$work/enough"
	wait
	[ "$(cat "$work/status")" = 0 ] || why "exit status $(cat "$work/status")"
	[ "$(cat "$work/recorded")" = "done" ] || why "output differs"
	# what is named so is a trace, or not ours, or nothing
	case $2 in
	overwrite | fill-start | unlink | rename) ;;
	replace) [ "$(cat "$work/t")" = other ] || why "another file is written to" ;;
	*) read_trace "$work/t" && holds graph sound ;;
	esac
	case $2 in
	cut*)
		"$build/winnow" check "$work/t" > "$work/said" 2>&1
		[ $? -eq 3 ] || why "not told to be damaged: $(cat "$work/said")"
		;;
	rename)
		read_trace "$work/t.moved"
		holds graph sound gaps 0 dropped 0
		"$build/winnow" check "$work/t.moved" > "$work/said" 2>&1 || why "not whole: $(cat "$work/said")"
		;;
	esac
	no_memory_left
	verdict "$2: $1"
}

# Any limit of the size of files, of the launcher too or of the program alone.
limits() { # compiler
	local at bytes plain recorded status sizes=(0 1 31 32 33 64 80 100 150 200 300 512 1000 4095 4096 4097 8192 65535 65536
		65537 66000 70000 131071 131072 131073 196608 200000 262144 400000)
	for at in $(some_of "limits $1" 10 ${#sizes[@]}); do
		bytes=${sizes[at]}
		rm -rf "$work"/t "$work"/t.* "$work/trace"
		plain=$(prlimit --fsize=$bytes "$work/life.$1" plain 2> "$work/plain.talk")
		status=$?
		recorded=$("$build/winnow" record -k -o "$work/t" prlimit --fsize=$bytes "$work/life.$1" plain 2> "$work/talk")
		[ $? -eq $status ] || why "program's limit $bytes: it ends otherwise"
		[ "$plain" = "$recorded" ] || why "program's limit $bytes: output differs: $recorded"
		[ ! -e "$work/t" ] || read_trace "$work/t"
		rm -rf "$work"/t "$work"/t.* "$work/trace"
		recorded=$(prlimit --fsize=$bytes "$build/winnow" record -k -o "$work/t" "$work/life.$1" plain 2> "$work/talk")
		[ $? -eq $status ] || why "limit $bytes: it ends otherwise"
		[ "$plain" = "$recorded" ] || why "limit $bytes: output differs: $recorded"
		[ ! -e "$work/t" ] || read_trace "$work/t"
	done
	verdict "limits of the size of files: $1"
}

# Runs the program below strace with the options given, and looks for a file that is no trace.
under_strace() {
	rm -rf "$work"/t "$work"/t.*
	{ (timeout 60 strace -qq -f -o "$work/calls" "$@" -E "LD_PRELOAD=$recorder" -E "WINNOW_OUT=$work/t" \
		"$work/life.gcc" plain 1) > "$work/recorded"; } 2> "$work/talk"
	[ ! -e "$work/t" ] || "$look" "$work/t" > "$work/trace" || why "$*: a file that does not open"
}

# Ids of the memory that the process had created
keep_ids() {
	sed -n 's/.* shmget(.* = \([0-9][0-9]*\)$/\1/p' "$work/calls" >> "$work/ids"
}

# System calls of the first thread from the start of the recording on: name, and the how many'th by
# that name
calls_of_recording() {
	awk 'NR == 1 { pid = $1 }
		$1 == pid {
			name = $2
			sub(/\(.*/, "", name)
			if (name !~ /^[a-z_0-9]+$/)
				next
			n[name]++
			# what is done before is the loader
			if (name == "shmget" || name == "fallocate" || /, O_RDWR\|O_CREAT\|O_EXCL/)
				has_begun = 1
			if (has_begun)
				print name, n[name]
		}' "$work/calls"
}

# The process is killed at each system call from the start of the recording to its end.
kill_at_each_call() { # sentence, options of strace
	local name nth points sentence=$1
	shift
	under_strace "$@"
	points=$(calls_of_recording)
	[ -n "$points" ] || why "no calls"
	: > "$work/ids"
	while read -r name nth; do
		under_strace "$@" -e "inject=$name:signal=SIGKILL:when=$nth"
		keep_ids
	done <<< "$points"
	rm -rf "$work"/t.*
	run=$("$build/winnow" record -k -o "$work/t" "$work/life.gcc" plain 1 2> "$work/talk") || why "no recording after that"
	[ "$run" = "1 tasks" ] || why "output differs"
	read_trace "$work/t"
	holds state closed tasks 1
	[ "$(find "$work" -name 't.*' -not -name 't.old*' | wc -l)" -eq 0 ] || why "left: $(ls "$work")"
	no_memory_left
	[ -s "$work/ids" ] || why "no memory was created"
	ipcs -m | awk '{ print $2 }' | sort | comm -12 - <(sort -u "$work/ids") > "$work/left"
	[ ! -s "$work/left" ] || why "segments are left: $(tr '\n' ' ' < "$work/left")"
	verdict "$sentence"
}

compile_all || exit 1
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
while read -r compiler runtime; do
	use_runtime "$runtime"
	for way in cut cut-within cut-blocks cut-often unlink rename replace overwrite append protect extend fill-start; do
		[[ " $(one_of "$way" gcc "$oldest_clang") " != *" $compiler "* ]] || meddle "$compiler" $way
	done
	[[ " $(one_of limits gcc "$oldest_clang") " != *" $compiler "* ]] || limits "$compiler"
	unset LD_LIBRARY_PATH
done < <(kinds "$newest_libomp")

# The channel is written to only if it is one.
report_to() { # WINNOW_BACK
	rm -f "$work/u"
	WINNOW_BACK=$1 WINNOW_OUT=$work/u LD_PRELOAD=$recorder timeout 20 "$work/life.gcc" plain 1 > "$work/recorded" ||
		why "exit status $?"
}
echo precious > "$work/log"
report_to "$work/log"
[ "$(cat "$work/log")" = precious ] || why "a file of somebody else is written to: $(cat "$work/log")"
exec 8<> "$work/log"
report_to "/proc/$$/fd/8"
[ "$(cat "$work/log")" = precious ] || why "a descriptor of somebody else is written to: $(cat "$work/log")"
exec 8>&-
mkfifo "$work/pipe"
cat "$work/pipe" > "$work/piped" &
reader=$!
report_to "$work/pipe"
kill $reader 2> "$work/ignored" && wait $reader 2> "$work/ignored"
[ ! -s "$work/piped" ] || why "a pipe of somebody else is written to"
verdict "a channel that is somebody else's file by now"
if command -v python3 > /dev/null; then
	python3 -c '
import os, subprocess, sys
fd = os.memfd_create("winnow-back", os.MFD_ALLOW_SEALING)
os.environ.update(WINNOW_BACK=f"/proc/{os.getpid()}/fd/{fd}", WINNOW_OUT=sys.argv[3], LD_PRELOAD=sys.argv[2])
subprocess.run([sys.argv[1], "plain", "1"], check=True)
print("written:", os.fstat(fd).st_size)
' "$work/life.gcc" "$recorder" "$work/v" > "$work/said" 2>&1
	grep -q 'written: 0' "$work/said" || why "$(cat "$work/said")"
	verdict "or somebody else's memory file"
else
	say ok "or somebody else's memory file # SKIP no python3"
fi

# Without shared memory, or with memory that ends with the program's namespace: whole if the program
# ends by itself, and else said to lack the newest events.
if unshare -i sh -c 'echo 0 > /proc/sys/kernel/shmmni' 2> "$work/ignored"; then
	# what is to be expanded is so in the other shell
	# shellcheck disable=SC2016
	for setting in 'echo 0 > /proc/sys/kernel/shmmni; exec "$0" "$@"' 'exec "$0" "$@"'; do
		both unshare -i sh -c "$setting" "$work/life.gcc" plain
		read_trace "$work/t"
		holds state closed graph sound tasks 100 completed 100
		"$build/winnow" check "$work/t" > "$work/said" 2>&1 || why "check: $(cat "$work/said")"
		both unshare -i sh -c "$setting" "$work/life.gcc" _exit
		"$build/winnow" check "$work/t" > "$work/said" 2>&1
		[ $? -ne 0 ] || why "nobody is told what is missing"
		grep -q 'in memory that is not available' "$work/said" || why "check: $(cat "$work/said")"
	done
	verdict "memory of the process alone, and of its namespace"
else
	say ok "memory of the process alone, and of its namespace # SKIP no namespaces here"
fi

# What earlier recorders left when they were killed at their start.
head -c 4096 /dev/zero > "$work/t"
rm -f "$work"/t.*
run=$("$build/winnow" record -k -o "$work/t" "$work/life.gcc" plain 2> "$work/talk") || why "fails"
[ "$run" = "100 tasks" ] || why "output differs"
read_trace "$work/t"
holds state closed tasks 100
head -c 4096 /bin/bash > "$work/x"
"$build/winnow" record -k -o "$work/x" "$work/life.gcc" plain > "$work/recorded" 2> "$work/talk" && why "replaces a file"
verdict "a page of zeros is replaced, and nothing else"

export OMP_NUM_THREADS=1
if command -v strace > /dev/null && strace -qq -o "$work/calls" -e inject=getpid:error=EPERM true 2> "$work/talk"; then
	kill_at_each_call "killed at each call of its start"
	under_strace
	nth=$(grep 'openat' "$work/calls" | grep -n O_TMPFILE | sed 's/:.*//')
	kill_at_each_call "and where there are no unnamed files" -e "inject=openat:error=EOPNOTSUPP:when=${nth:-1}"
	under_strace -e "inject=openat:error=EOPNOTSUPP:when=${nth:-1}" -e inject=link:error=EPERM
	[ -e "$work/t" ] || why "no trace"
	under_strace -e "inject=openat:error=EOPNOTSUPP:when=${nth:-1}" -e inject=link:error=EPERM \
		-e inject=renameat2:error=EINVAL
	[ -e "$work/t" ] || why "no trace"
	[ "$(find "$work" -name 't.*' -not -name 't.old*' | wc -l)" -eq 0 ] || why "left: $(ls "$work")"
	verdict "nor links, nor renaming"
	under_strace -e inject=fallocate:error=EINTR:when=1..5
	holds state closed tasks 1
	verdict "signals while room in the file is reserved"
else
	say ok "killed at each call of its start # SKIP no strace"
fi
done_testing
