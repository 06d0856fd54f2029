#!/bin/sh
# SPDX-License-Identifier: MIT
#
# with-node.sh SCRIPT [ARGUMENT]... - runs a test in Node, or skips it (TAP) where there is none.
if ! command -v node > /dev/null; then
	echo "1..0 # SKIP node is missing"
	exit 0
fi
exec node "$@"
