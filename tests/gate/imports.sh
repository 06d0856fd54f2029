#!/bin/bash
# SPDX-License-Identifier: MIT
#
# imports.sh BUILD - the libraries that run in other people's programs load with glibc 2.28, wherever they are built: they
# import no newer version of a symbol, and nothing but weakly from libraries that they do not name. Prints TAP.
set -u

if [ $# -ne 1 ]; then
	echo "usage: imports.sh BUILD" >&2
	exit 2
fi
build=$1
for tool in nm readelf; do
	if ! command -v $tool > /dev/null; then
		echo "1..0 # SKIP $tool is missing"
		exit 0
	fi
done
n=0

result() { # sentence, what speaks against it
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		printf 'not ok %s - %s\n%s\n' "$n" "$1" "${2//$'\n'/$'\n'# }" | sed '2s/^/# /'
	fi
}

for name in record ompt pomp2 mpi; do
	file=$build/libwinnow-$name.so
	imports=$(nm -D --undefined-only "$file" | awk '{ print $NF }')
	result "libwinnow-$name.so imports versions of glibc's symbols" \
		"$(grep -q '@GLIBC_' <<< "$imports" || echo "none has a version: $imports")"
	result "libwinnow-$name.so imports no symbol that is newer than glibc 2.28" \
		"$(awk -F '@+GLIBC_' 'NF > 1 { split($2, v, "."); if (v[1] > 2 || v[1] == 2 && v[2] > 28) print }' <<< "$imports")"
	if readelf -Wd "$file" | grep -q 'NEEDED.*libdl'; then
		pattern='^pthread_'
	else
		pattern='^(dl[^_]|pthread_)' # dl_iterate_phdr is libc's
	fi
	result "libwinnow-$name.so loads without the libraries that glibc 2.28 has apart: their functions are weak" \
		"$(nm -D --undefined-only "$file" | awk -v pattern="$pattern" '$NF ~ pattern && $1 != "w"')"
done
echo "1..$n"
