#!/bin/bash
# SPDX-License-Identifier: MIT
#
# disk.sh BUILD - no room, no right, no folder: the program behaves as without us, and what was recorded
# opens, or a line says why nothing was. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

# A folder of half a MB on a file system of its own; false where that is not allowed.
small_disk() {
	mkdir -p "$work/disk"
	mount -t tmpfs -o size=384k winnow-test "$work/disk" 2> "$work/talk"
}

# Records `steady` with the trace at $2 for so many tasks that they fill the disk, or for more.
steady() { # compiler, trace, wanted reason
	local status tasks
	for tasks in 60000 240000 960000; do
		rm -f "$2" "$work/counters" "$work/enough"
		{ tasks_more $tasks; : > "$work/enough"; } &
		timeout 60 "$build/winnow" record -k -o "$2" "$work/steady.$1" "$work/counters" "$work/enough" \
			> "$work/recorded" 2> "$work/talk"
		status=$?
		wait
		[ $status -eq 0 ] || why "exit status $status"
		[ "$(cat "$work/recorded")" = "done" ] || why "output differs"
		read_trace "$2" "$work/counters"
		[ "$(value reason)" = none ] || break
	done
	holds state dead reason "$3" graph sound gaps 0 invented 0 bad_bytes 0
	[ "$(value tasks)" -gt 100 ] || why "what fitted is not there"
	[ "$(value dropped)" -gt 0 ] || why "what was lost is not counted"
	grep -q 'stopped early' "$work/talk" || why "nobody is told"
}

# The program runs, and a line says that it is not recorded.
unrecorded() { # sentence, trace
	"$build/winnow" record -k -o "$2" "$work/life.gcc" plain > "$work/recorded" 2> "$work/talk"
	local status=$?
	[ $status -eq 0 ] || why "exit status $status"
	[ "$(cat "$work/recorded")" = "100 tasks" ] || why "output differs"
	grep -qE 'unrecorded|could not start|stopped early' "$work/talk" || why "nobody is told"
	verdict "$1"
}

compile_all || exit 1
export OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
trap 'umount "$work/disk" 2> /dev/null; "$look" --free "$work/" > /dev/null 2>&1; rm -rf "$work"' EXIT
while read -r compiler runtime; do
	use_runtime "$runtime"
	if small_disk; then
		steady "$compiler" "$work/disk/t" no-space
		verdict "a disk that gets full: $compiler, $runtime"
		umount "$work/disk"
	else
		say ok "a disk that gets full: $compiler, $runtime # SKIP may not mount"
	fi
	rm -f "$work/t"
	(ulimit -f 600 && steady "$compiler" "$work/t" no-space)
	verdict "a limit of the size of files: $compiler, $runtime"
	unset LD_LIBRARY_PATH
done < <(kinds $two_libomps)

unrecorded "a folder that is missing" "$work/missing/t"
unrecorded "a folder that is a file" "$work/life.gcc/t"
unrecorded "a folder where nothing can be made" /proc/t
if small_disk; then
	dd if=/dev/zero of="$work/disk/filler" bs=4096 > "$work/talk" 2>&1
	unrecorded "a disk that is full from the start" "$work/disk/t"
	rm "$work/disk/filler"
	mount -o remount,ro "$work/disk"
	unrecorded "a disk that is read-only" "$work/disk/t"
	umount "$work/disk"
else
	say ok "a disk that is full from the start # SKIP may not mount"
	say ok "a disk that is read-only # SKIP may not mount"
fi
ulimit -f 32
unrecorded "files may hardly grow" "$work/t"
done_testing
