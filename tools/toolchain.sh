#!/bin/sh
# SPDX-License-Identifier: MIT
#
# toolchain.sh WORD - which compilers, headers and runtimes there are here. The build, set-up and tests ask this, so that
# no version stands anywhere else.
#
#   headers          the folder of libomp's headers, omp-tools.h and omp.h. It belongs to one version of clang, so other
#                    compilers use it with -idirafter
#   clangs           the commands of the clangs that tests use, oldest first: the oldest from 14 on, the two newest
#   choose-clangs    the same choice of the versions on standard input
#   choose-runtimes  of the versions on standard input: the oldest from 14 on, the newest, and one between
#   runtimes DIR     the versions of libomp in DIR (fetch-runtimes.sh), oldest first
#   ways DIR         which clang runs on which of them, "COMMAND,VERSION" a line: the oldest clang on all, others on the newest
#   gccs             for each gcc with headers for plug-ins: "VERSION FOLDER" a line
#   llvms            for each LLVM with headers: "VERSION FOLDER" a line
#   state            what the build depends on of this; the build is configured again when it changes (configure.sh)
#
# Status 1 if there is none.
set -eu

usage() {
	sed -n 's/^# \{0,1\}//; 3,19p' "$0" >&2
	exit 2
}

# Versions that are numbers, each once, in order.
numbers() {
	grep -x '[0-9][0-9]*' | sort -nu
}

choose_clangs() {
	numbers | awk '$1 >= 14 { v[++n] = $1 } END { for (i = 1; i <= n; i++) if (i == 1 || i > n - 2) print v[i] }'
}

choose_runtimes() {
	numbers | awk '$1 >= 14 { v[++n] = $1 }
		END { for (i = 1; i <= n; i++) if (i == 1 || i == int(n / 2) + 1 || i == n) print v[i] }'
}

major_of() { # COMMAND
	"$1" -dumpversion 2> /dev/null | sed 's/[^0-9].*//'
}

# The numbers at the end of commands PREFIX-N.
versions_on_path() { # PREFIX
	echo "$PATH" | tr : '\n' | while read -r folder; do
		for file in "$folder/$1"-[0-9]*; do
			if [ -x "$file" ]; then
				echo "${file##*-}"
			fi
		done
	done | numbers
}

clangs() {
	plain=$(major_of clang || true)
	{
		versions_on_path clang
		echo "$plain"
	} | choose_clangs | while read -r version; do
		if command -v "clang-$version" > /dev/null; then
			echo "clang-$version"
		else
			echo clang
		fi
	done
}

# Folders that may hold the headers of a libomp, likeliest first.
header_folders() {
	for command in clang $(clangs); do
		folder=$("$command" -print-resource-dir 2> /dev/null) && echo "$folder/include"
	done
	for folder in /usr/lib*/llvm*/lib*/clang/*/include /usr/lib*/clang/*/include /usr/include /usr/local/include \
		/usr/lib/gcc/*/*/include /opt/rocm*/llvm/lib/clang/*/include; do
		[ ! -d "$folder" ] || echo "$folder"
	done
}

headers() {
	header_folders | {
		second=
		while read -r folder; do
			if [ -e "$folder/omp-tools.h" ] && [ -e "$folder/omp.h" ]; then
				echo "$folder"
				return 0
			fi
			[ -n "$second" ] || [ ! -e "$folder/omp-tools.h" ] || second=$folder
		done
		[ -z "$second" ] || echo "$second"
	} | grep .
}

runtimes() { # DIR
	for file in "$1"/*/libomp.so.5; do
		if [ -e "$file" ]; then
			version=${file%/libomp.so.5}
			echo "${version##*/}"
		fi
	done | numbers
}

ways() { # DIR
	newest=$(runtimes "$1" | tail -n 1)
	[ -n "$newest" ] || return 0
	oldest=$(clangs | head -n 1)
	for command in $(clangs); do
		for runtime in $(runtimes "$1"); do
			if [ "$runtime" = "$newest" ] || [ "$command" = "$oldest" ]; then
				echo "$command,$runtime"
			fi
		done
	done
}

gccs() {
	{
		echo gcc
		versions_on_path gcc | sed 's/^/gcc-/'
	} | while read -r command; do
		folder=$("$command" -print-file-name=plugin 2> /dev/null)/include
		if [ -e "$folder/gcc-plugin.h" ]; then
			echo "$(major_of "$command") $folder"
		fi
	done | sort -nu -k 1,1
}

llvms() {
	{
		echo llvm-config
		versions_on_path llvm-config | sed 's/^/llvm-config-/'
		versions_on_path clang | sed 's#.*#/usr/lib/llvm-&/bin/llvm-config#'
	} | while read -r command; do
		folder=$("$command" --includedir 2> /dev/null) || continue
		if [ -e "$folder/llvm/Passes/PassBuilder.h" ]; then
			echo "$("$command" --version | sed 's/[^0-9].*//') $folder"
		fi
	done | sort -nu -k 1,1 | awk '$1 >= 14'
}

case "${1:-} $#" in
'headers 1') headers ;;
'clangs 1') clangs ;;
'choose-clangs 1') choose_clangs ;;
'choose-runtimes 1') choose_runtimes ;;
'runtimes 2') runtimes "$2" ;;
'ways 2') ways "$2" ;;
'gccs 1') gccs ;;
'llvms 1') llvms ;;
'state 1')
	for word in headers clangs gccs llvms; do
		echo "$word: $("$word" | paste -s -d ' ')"
	done
	echo "zydis: $(echo '#include <Zydis/Zydis.h>' | ${CC:-cc} -E -x c -o /dev/null - 2> /dev/null && echo there)"
	;;
*) usage ;;
esac
