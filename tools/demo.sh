#!/bin/sh
# SPDX-License-Identifier: MIT
#
# demo.sh BUILD FOLDER - records an example that GCC compiled, on GCC's own runtime, prints what Winnow
# says about it, and leaves its page and its grain graph in FOLDER.
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
echo "The same as a page for a browser, with the graph behind it:"
show winnow view recursion.winnow
echo
echo "The same million tasks as a tree of groups, open where the problems are:"
show winnow tree recursion.winnow --lines 14
show winnow export recursion.winnow --folded -o recursion.svg
echo
echo "A smaller run can be drawn grain by grain:"
show gcc -g -O2 -fopenmp -o fib "$root/bench/programs/fib.c"
show winnow record -o fib.winnow ./fib 30 4
show winnow export fib.winnow -o fib.svg
show winnow export fib.winnow --nested -o fib.graphml
echo "In $(pwd):"
echo "recursion.html, the page; recursion.svg and fib.svg, pictures; fib.graphml for yEd (groups open and close)."
echo "Open recursion.html in a browser: it is one file, and needs no network."
