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
for format in graphml dot; do
	show winnow export recursion.winnow --format "$format" -o "recursion.$format"
done
echo "the grain graph is in $(pwd): recursion.graphml, recursion.dot"
