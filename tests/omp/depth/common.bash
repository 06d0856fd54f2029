# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154
#
# common.bash BUILD - programs of this folder, by compiler and runtime. Sourced.

unset LD_PRELOAD OMP_TOOL OMP_TOOL_LIBRARIES LD_LIBRARY_PATH MALLOC_PERTURB_
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-depth.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# shellcheck source-path=SCRIPTDIR source=../../tap.bash
. "$here/../../tap.bash"

runtimes_of() { # compiler
	local runtime
	case $1 in
	clang*) for runtime in 14 16 19; do
		[ -e "$build/runtimes/$runtime" ] && echo "$build/runtimes/$runtime"
	done ;;
	*) echo own ;;
	esac
}

with_runtime() { # runtime, command...
	local runtime=$1
	shift
	if [ "$runtime" = own ]; then
		"$@"
	else
		LD_LIBRARY_PATH=$runtime "$@"
	fi
}
