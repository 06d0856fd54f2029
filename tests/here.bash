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

# Every script sources this: the shell does by itself what it can, since a process costs more than all of this.
declare -A configured=()
if [ -e "$build/toolchain.txt" ]; then # set by the script that sources this
	while IFS=: read -r here_word here_value; do
		read -r "configured[$here_word]" <<< "$here_value"
	done < "$build/toolchain.txt"
fi
clangs=${configured[clangs]:-none}
oldest_clang=${clangs%% *} newest_clang=${clangs##* }
two_clangs=$oldest_clang
if [ "$clangs" != "$oldest_clang" ]; then
	here_clang=${clangs#* }
	two_clangs+=" ${here_clang%% *}"
fi
here_libomps=() # by number, which sorts them
for here_libomp in "$build"/runtimes/*/libomp.so.5; do
	here_libomp=${here_libomp%/*}
	here_libomp=${here_libomp##*/}
	[[ ! $here_libomp =~ ^[0-9]+$ ]] || here_libomps[here_libomp]=$here_libomp
done
libomps=${here_libomps[*]:-none}
oldest_libomp=${libomps%% *} newest_libomp=${libomps##* }
two_libomps=$oldest_libomp
[ "$oldest_libomp" = "$newest_libomp" ] || two_libomps+=" $newest_libomp"
libomp_headers=${configured[headers]:-none}
# without the other headers of the clang that they belong to, which another clang would include
[ ! -e "$build/tests/programs/libomp/omp-tools.h" ] || libomp_headers=$build/tests/programs/libomp
libomp_ways=
for here_clang in $clangs; do
	for here_libomp in $libomps; do
		if [ "$here_clang" = "$oldest_clang" ] || [ "$here_libomp" = "$newest_libomp" ]; then
			libomp_ways+="${libomp_ways:+ }$here_clang,$here_libomp"
		fi
	done
done
plugin_gccs=
for here_gcc in ${configured[gccs]:-}; do
	[[ $here_gcc =~ ^[0-9]+$ ]] || continue
	command -v "gcc-$here_gcc" > /dev/null && plugin_gccs+="gcc-$here_gcc " || plugin_gccs+="gcc "
done

# " CLANG,VERSION[SUFFIX]" for each libomp but the newest with the oldest clang, and for the newest with the second.
mixed_ways() { # [SUFFIX]
	local version
	for version in $libomps; do
		if [ "$version" != "$newest_libomp" ]; then
			printf ' %s,%s%s' "$oldest_clang" "$version" "${1:-}"
		else
			printf ' %s,%s%s' "${two_clangs##* }" "$version" "${1:-}"
		fi
	done
}
