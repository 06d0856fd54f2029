#!/bin/bash
# SPDX-License-Identifier: MIT
#
# hosts.sh BUILD - OpenMP that comes with a library opened late: by a C program and by Python. TAP.
set -u
# shellcheck source-path=SCRIPTDIR source=common.bash
. "$(dirname "$0")/common.bash"

python_code='
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL if sys.argv[2] == "global" else ctypes.RTLD_LOCAL)
for i in range(4):
    print(library.work(25))
'

# Ends a check: the trace has all of the program.
whole() { # sentence
	read_trace "$work/t"
	holds state closed graph sound dropped 0 tasks 100 completed 100 regions 4
	verdict "$1"
}

compile_all || exit 1
find_python
cp "$(compiled host host.c gcc)" "$work/host" || exit 1
while read -r compiler runtime; do
	use_runtime "$runtime"
	cp "$(compiled library library.c "$compiler")" "$work/library.so" || exit 1
	kept=libomp.so.5
	[ "$compiler" != gcc ] || kept=libgomp.so.1
	for scope in local global; do
		both "$work/host" "$work/library.so" $scope $kept
		whole "a C program opens it $scope: $compiler, $runtime"
		# without us, a program that lets go of libgomp can crash; recorded, it never does
		run_recorded "$work/host" "$work/library.so" $scope || why "exit status $?"
		same_output
		whole "a C program opens it $scope and lets go of it: $compiler, $runtime"
		if [ -z "$python" ]; then
			say ok "Python opens it $scope: $compiler, $runtime # SKIP no python3"
			continue
		fi
		both "$python" -S -c "$python_code" "$work/library.so" $scope
		whole "Python opens it $scope: $compiler, $runtime"
	done
	unset LD_LIBRARY_PATH
done < <(kinds $two_libomps)
done_testing
