#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build-page.sh [--check | --packages] - builds viewer/page.html from viewer/ and the core's C. --check
# compares instead: is the committed page what its source builds? --packages only brings what npm has
# to bring. Needs clang-14, lld-14, binaryen, xz, node and npm: tools/setup.sh test.
set -eu
case "${1:-}" in
'' | --check | --packages) ;;
*)
	echo "usage: build-page.sh [--check | --packages]" >&2
	exit 2
	;;
esac
cd "$(dirname "$0")/../viewer"
for tool in node npm clang-14 wasm-ld-14 wasm-opt xz; do
	if ! command -v "$tool" > /dev/null; then
		echo "build-page.sh: $tool is missing; tools/setup.sh test" >&2
		exit 1
	fi
done

# Without a network when all is in npm's cache, which an earlier run has filled. One at a time.
exec 9> .packages.lock
flock 9
if ! cmp -s package-lock.json node_modules/.lock-of-page; then
	npm ci --offline --silent || npm ci --silent || {
		echo "build-page.sh: npm cannot bring what viewer/package-lock.json lists" >&2
		exit 1
	}
	cp package-lock.json node_modules/.lock-of-page
fi
exec 9>&-
[ "${1:-}" != --packages ] || exit 0

work=$(mktemp -d "${TMPDIR:-/tmp}/winnow-page.XXXXXX")
trap 'rm -rf "$work"' EXIT
node_modules/.bin/tsc -p .
core/build.sh "$work/core.wasm"
node build.mjs "$work/core.wasm" "$work/page.html"
if [ "${1:-}" != --check ]; then
	cp "$work/page.html" page.html
elif ! cmp -s "$work/page.html" page.html; then
	echo "page.html is not what viewer/ builds: run tools/build-page.sh" >&2
	exit 1
fi
