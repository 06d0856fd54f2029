# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# several.bash - the programs of a file: one, or several, of which the first argument says which runs (several.h; in Fortran
# each begins with a line `! PROGRAM(NAME)`). Sourced.

# programs_in FILE: the names of the programs in a file of several (tests/programs/several.h); of another, an empty line
programs_in() {
	sed -n -E 's/^(! )?PROGRAM\((.*)\)$/\2/p' "$1" | grep . || echo
}

# remarks_of FILE [PROGRAM]: what a file says of its program: all lines, or of several those from the one before to this one
remarks_of() {
	if [ -z "${2:-}" ]; then
		cat "$1"
	else
		awk -v wanted="PROGRAM($2)" '
			{ sub(/^! PROGRAM/, "PROGRAM") }
			$0 == wanted { for (i = 1; i <= n; i++) print line[i]; exit }
			/^PROGRAM\(/ { n = 0; next }
			{ line[++n] = $0 }' "$1"
	fi
}

# read_remarks FILE [PROGRAM]: into the array remarks what it says in lines "// WORD: TEXT" ("! WORD: TEXT" in Fortran)
read_remarks() {
	mapfile -t remarks < <(awk -v wanted="${2:+PROGRAM($2)}" '
		wanted != "" && /^(! )?PROGRAM\(/ {
			sub(/^! /, "")
			if ($0 == wanted) exit
			n = 0
		}
		/^(\/\/|!) [a-z]/ { line[++n] = $0 }
		END { for (i = 1; i <= n; i++) print line[i] }' "$1")
}

# said WORD...: the texts of these words in remarks, a line each
said() {
	local saying
	saying "$@"
	[ -z "$saying" ] || printf '%s' "$saying"
}

# saying WORD...: what said prints, in the variable saying (of the caller): $(said ...) would be a process each time
saying() {
	local word remark
	saying=
	for word; do
		for remark in "${remarks[@]}"; do
			[[ $remark != @(//|!)" $word: "* ]] || saying+=${remark#* "$word": }$'\n'
		done
	done
}

# numbered KEY WORD...: into the variable number the last KEY=NUMBER in the texts of these words; nothing where there is none
numbered() {
	local pair saying
	number=
	saying "${@:2}"
	for pair in $saying; do
		[[ $pair != "$1="* ]] || number=${pair#*=}
	done
}
