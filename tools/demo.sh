#!/bin/sh
# SPDX-License-Identifier: MIT
#
# demo.sh BUILD FOLDER - records an example that GCC compiled, on GCC's own runtime, prints what Winnow
# says about it, and leaves its grain graph in FOLDER.
set -eu

if [ $# -ne 2 ]; then
	echo "usage: demo.sh BUILD FOLDER" >&2
	exit 2
fi
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$2"
PATH=$(cd "$1" && pwd):$PATH
export PATH
cd "$2"

show() {
	echo "\$ $*"
	"$@"
}

show gcc -g -O2 -fopenmp -o recursion "$root/examples/recursion.c"
show winnow run -o recursion.winnow ./recursion
echo
echo "A million tasks make no picture; a smaller run does:"
show gcc -g -O2 -fopenmp -o fib "$root/bench/programs/fib.c"
show winnow record -o fib.winnow ./fib 30 4
show winnow export fib.winnow -o fib.svg
show winnow export fib.winnow -o fib.graphml
echo "The grain graph is in $(pwd): fib.svg for a browser, fib.graphml for yEd."
