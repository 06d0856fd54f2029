# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034
#
# here.bash - the compilers and runtimes that there are, as the build of $build was configured with them
# (tools/toolchain.sh). Sourced; what there is none of is "none", which no command or folder is called.
#
#   clangs, oldest_clang, newest_clang   commands, oldest first
#   libomps, oldest_libomp, newest_libomp    versions below $build/runtimes, oldest first
#   two_clangs, two_libomps   the two oldest clangs; the oldest libomp and the newest
#   libomp_ways       pairs CLANG,VERSION: the oldest clang on all of them, others on the newest
#   libomp_headers    the folder of omp.h and omp-tools.h
#   plugin_gccs       commands of the gccs for which there is a plug-in

configured() { # WORD
	# shellcheck disable=SC2154 # set by the script that sources this
	sed -n "s/^$1: *//p" "$build/toolchain.txt" 2> /dev/null
}

read -r -a here_clangs <<< "$(configured clangs)"
clangs=${here_clangs[*]:-none}
oldest_clang=${clangs%% *} newest_clang=${clangs##* }
here_libomps=$(for file in "$build"/runtimes/*/libomp.so.5; do
	file=${file%/*}
	echo "${file##*/}"
done | grep -x '[0-9][0-9]*' | sort -n)
libomps=${here_libomps:-none}
libomps=${libomps//$'\n'/ }
oldest_libomp=${libomps%% *} newest_libomp=${libomps##* }
libomp_headers=$(configured headers)
libomp_headers=${libomp_headers:-none}
# without the other headers of the clang that they belong to, which another clang would include
[ ! -e "$build/tests/programs/libomp/omp-tools.h" ] || libomp_headers=$build/tests/programs/libomp
# shellcheck disable=SC2086 # words
two_clangs=$(printf '%s\n' $clangs | head -n 2 | tr '\n' ' ')
two_libomps=$(printf '%s\n' "$oldest_libomp" "$newest_libomp" | uniq | tr '\n' ' ')
libomp_ways=
for here_clang in $clangs; do
	for here_libomp in $libomps; do
		if [ "$here_clang" = "$oldest_clang" ] || [ "$here_libomp" = "$newest_libomp" ]; then
			libomp_ways+="${libomp_ways:+ }$here_clang,$here_libomp"
		fi
	done
done
plugin_gccs=$(configured gccs | tr ' ' '\n' | grep -x '[0-9][0-9]*' | sed 's/^/gcc-/' | while read -r here_gcc; do
	command -v "$here_gcc" > /dev/null && echo "$here_gcc" || echo gcc
done | tr '\n' ' ')

# " CLANG,VERSION[SUFFIX]" for each libomp but the newest with the oldest clang, and for the newest with the second.
mixed_ways() { # [SUFFIX]
	local version
	for version in $libomps; do
		if [ "$version" != "$newest_libomp" ]; then
			printf ' %s,%s%s' "$oldest_clang" "$version" "${1:-}"
		else
			printf ' %s,%s%s' "$(cut -d ' ' -f 2 <<< "$two_clangs")" "$version" "${1:-}"
		fi
	done
}
