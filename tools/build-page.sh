#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build-page.sh [--check [CORE.wasm] | --packages] - builds viewer/page.html from viewer/ and the core's C. --check
# compares instead: is the committed page what its source builds, or what it builds with this core? --packages only brings what npm has
# to bring. Other versions of the tools write other bytes, so the page is built with clang 14, lld 14 and binaryen 108
# (Debian 12: tools/setup.sh test). Without them, or npm's packages, --check has status 77: not compared.
set -eu
case "${1:-}" in
'' | --check | --packages) ;;
*)
	echo "usage: build-page.sh [--check [CORE.wasm] | --packages]" >&2
	exit 2
	;;
esac
core=${2:+$(realpath "$2")}
cd "$(dirname "$0")/../viewer"
for tool in node npm; do
	if ! command -v "$tool" > /dev/null; then
		echo "build-page.sh: $tool is missing; tools/setup.sh test" >&2
		[ "${1:-}" != --check ] || exit 77
		exit 1
	fi
done
require() { # WHAT PATTERN COMMAND...
	wanted="$1" pattern="$2"
	shift 2
	if ! "$@" 2> /dev/null | grep -q "$pattern"; then
		echo "build-page.sh: $wanted is not here, and other versions write other bytes" >&2
		[ "${check:-}" != --check ] || exit 77
		exit 1
	fi
}
if [ "${1:-}" != --packages ]; then
	check=${1:-}
	require 'clang 14' 'version 14\.' clang-14 --version
	require 'lld 14' 'LLD 14\.' wasm-ld-14 --version
	require 'binaryen 108' 'version 108$' wasm-opt --version
fi

# Without a network when all is in npm's cache, which an earlier run has filled. One at a time.
exec 9> .packages.lock
flock 9
if ! cmp -s package-lock.json node_modules/.lock-of-page; then
	npm ci --offline --silent || npm ci --silent || {
		echo "build-page.sh: npm cannot bring what viewer/package-lock.json lists" >&2
		[ "${1:-}" != --check ] || exit 77
		exit 1
	}
	cp package-lock.json node_modules/.lock-of-page
fi
exec 9>&-
[ "${1:-}" != --packages ] || exit 0

work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-page.XXXXXX")
trap 'rm -rf "$work"' EXIT
node_modules/.bin/tsc -p .
if [ -n "$core" ]; then cp "$core" "$work/core.wasm"; else core/build.sh "$work/core.wasm"; fi
node build.mjs "$work/core.wasm" "$work/page.html"
if [ "${1:-}" != --check ]; then
	cp "$work/page.html" page.html
elif ! cmp -s "$work/page.html" page.html; then
	echo "page.html is not what viewer/ builds: run tools/build-page.sh" >&2
	exit 1
fi
