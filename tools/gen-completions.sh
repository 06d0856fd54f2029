#!/bin/bash
# SPDX-License-Identifier: MIT
#
# gen-completions.sh WINNOW FOLDER - writes completions for bash, zsh and fish into FOLDER.
# gen-completions.sh --check WINNOW FOLDER - tests whether those of FOLDER are what it would write. Prints TAP.
#
# Verbs and options come from the command's help, which is printed from its option tables.
set -euo pipefail
export LC_ALL=C

is_check=
if [ "${1:-}" = --check ]; then
	is_check=yes
	shift
fi
if [ $# -ne 2 ]; then
	echo "usage: gen-completions.sh [--check] WINNOW FOLDER" >&2
	exit 2
fi
winnow=$(realpath "$1")
folder=$2

# verbs: VERB<tab>DESCRIPTION lines
verbs() {
	"$winnow" --help | awk -v OFS='\t' '
	/^verbs:/ { is_here = 1; next }
	/^$/ { if (verb) print verb, text; verb = ""; is_here = 0 }
	is_here && /^  [a-z]/ { if (verb) print verb, text; verb = $1; text = $0; sub(/^  [a-z+]+ +/, "", text); next }
	is_here { sub(/^ +/, ""); text = text " " $0 }'
}

# options VERB: LETTER<tab>NAME<tab>VALUE<tab>WORDS<tab>DESCRIPTION lines, with - for what there is not. WORDS are the
# values that the description lists.
options() {
	"$winnow" help "$1" | awk -v OFS='\t' '
	/^options:/ { is_here = 1; next }
	/^$/ { end_option(); is_here = 0 }
	is_here && match($0, /^  (-[a-zA-Z]|  )[ ,] --/) {
		end_option()
		letter = substr($0, 4, 1)
		text = substr($0, 9)
		name = text
		sub(/ .*/, "", name)
		value = "-"
		rest = substr(text, length(name) + 1)
		if (match(rest, /^ [A-Z]+[^ ]*( |$)/)) {
			value = substr(rest, 2, RLENGTH - 1)
			sub(/ $/, "", value)
			rest = substr(rest, RLENGTH + 1)
		}
		sub(/^ +/, "", rest)
		next
	}
	is_here && name != "" { # the help goes on
		sub(/^ +/, "")
		rest = rest (rest == "" ? "" : " ") $0
	}
	END { end_option() }
	function end_option() {
		if (name != "")
			print letter == " " ? "-" : letter, name, value, value == "-" ? "-" : words(rest), rest
		name = ""
	}
	# the words of ": A, B or C" at the end
	function words(help,    list) {
		if (!match(help, /: [A-Za-z0-9-]+(, [A-Za-z0-9-]+)* or [A-Za-z0-9-]+$/))
			return "-"
		list = substr(help, RSTART + 2)
		gsub(/,| or /, " ", list)
		gsub(/  +/, " ", list)
		return list
	}'
}

# takes_program VERB: its operands are a command line
takes_program() {
	"$winnow" help "$1" | head -n 1 | grep -q -E '(PROG|COMPILER) '
}

# of what files: values that name a file or folder
is_file() {
	case $1 in
	FILE | OUT | REF | PREFIX | PATH) return 0 ;;
	*) return 1 ;;
	esac
}

header="SPDX-License-Identifier: MIT
Written by tools/gen-completions.sh from the command's option tables; see CONTRIBUTING.md."

write_bash() {
	local verb letter name value words help flags files
	printf '%s\n' "$header" | sed 's/^/# /'
	cat << 'END'

# _winnow_words VERB: its options
_winnow_words() {
	case $1 in
END
	while IFS=$'\t' read -r verb _; do
		flags=$(options "$verb" | awk -F '\t' '{ printf "%s--%s", sep, $2; if ($1 != "-") printf " -%s", $1; sep = " " }')
		printf "\t%s) echo '%s' ;;\n" "$verb" "$flags"
	done < <(verbs)
	cat << 'END'
	esac
}

# _winnow_value VERB OPTION: what follows it: `file`, `word`, the words to choose from, or nothing for a flag
_winnow_value() {
	case $1:$2 in
END
	while IFS=$'\t' read -r verb _; do
		files='' flags=''
		while IFS=$'\t' read -r letter name value words help; do
			[ "$value" != - ] || continue
			name="$verb:--$name"
			[ "$letter" = - ] || name="$name | $verb:-$letter"
			if is_file "$value"; then
				files="$files${files:+ | }$name"
			elif [ "$words" != - ]; then
				printf "\t%s) echo '%s' ;;\n" "$name" "$words"
			else
				flags="$flags${flags:+ | }$name"
			fi
		done < <(options "$verb")
		[ -z "$files" ] || printf '\t%s) echo file ;;\n' "$files"
		[ -z "$flags" ] || printf '\t%s) echo word ;;\n' "$flags"
	done < <(verbs)
	printf '\tesac\n}\n\n'
	cat << 'END'
# _winnow_takes_program VERB: its operands are a command line
_winnow_takes_program() {
	case $1 in
END
	while IFS=$'\t' read -r verb _; do
		takes_program "$verb" && printf '%s\n' "$verb"
	done < <(verbs) | paste -sd '|' | sed 's/|/ | /g; s/.*/\t&) return 0 ;;/'
	printf '\t*) return 1 ;;\n\tesac\n}\n\n'
	cat << 'END'
# _winnow_files WORD: names of files that begin so
_winnow_files() {
	compopt -o filenames 2> /dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_winnow() {
	local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local value i
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$_winnow_verbs help --help --version -V" -- "$word")
		return
	fi
	if [ "$verb" = help ]; then
		mapfile -t COMPREPLY < <(compgen -W "$_winnow_verbs" -- "$word")
		return
	fi
	# the first operand of a verb that runs a program is a command, and the rest is its command line
	if _winnow_takes_program "$verb"; then
		for ((i = 2; i <= COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			--) i=$((i + 1)) && break ;;
			=) i=$((i + 1)) ;;
			-*)
				value=$(_winnow_value "$verb" "${COMP_WORDS[i]}")
				[ -z "$value" ] || [ "${COMP_WORDS[i + 1]:-}" = = ] || i=$((i + 1))
				;;
			*) break ;;
			esac
		done
		if [ "$i" -le "$COMP_CWORD" ] && [ "$before" != = ]; then
			if declare -F _command_offset > /dev/null; then
				_command_offset "$i"
			elif [ "$i" -eq "$COMP_CWORD" ]; then
				mapfile -t COMPREPLY < <(compgen -c -f -- "$word" | sort -u)
			else
				_winnow_files "$word"
			fi
			return
		fi
	fi
	# bash takes = for a word of its own
	if [ "$word" = = ]; then
		word=
	elif [ "$before" = = ]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	value=$(_winnow_value "$verb" "$before")
	case $value in
	file) _winnow_files "$word" ;;
	word) ;;
	?*) mapfile -t COMPREPLY < <(compgen -W "$value" -- "$word") ;;
	*)
		case $word in
		-*) mapfile -t COMPREPLY < <(compgen -W "$(_winnow_words "$verb")" -- "$word") ;;
		*) _winnow_files "$word" ;;
		esac
		;;
	esac
}
END
	printf "\n_winnow_verbs='%s'\ncomplete -F _winnow winnow\n" "$(verbs | cut -f 1 | paste -sd ' ')"
}

# quoted for zsh's _arguments, in single quotes
zsh_text() {
	sed "s/[]:[\\\\]/\\\\&/g; s/'/'\\\\''/g" <<< "$1"
}

write_zsh() {
	local verb letter name value words help action spec
	echo '#compdef winnow'
	printf '%s\n' "$header" | sed 's/^/# /'
	printf '\n_winnow() {\n\tlocal -a verbs\n\tverbs=(\n'
	while IFS=$'\t' read -r verb help; do
		printf "\t\t'%s:%s'\n" "$verb" "$(zsh_text "$help")"
	done < <(verbs)
	cat << 'END'
		'help:the options of a verb'
	)
	if ((CURRENT == 2)); then
		_describe verb verbs
		_arguments '--help[show the verbs]' {--version,-V}'[show the version]'
		return
	fi
	local verb=$words[2]
	shift words
	((CURRENT--))
	case $verb in
	help) _describe verb verbs ;;
END
	while IFS=$'\t' read -r verb _; do
		printf '\t%s)\n\t\t_arguments -s -S' "$verb"
		while IFS=$'\t' read -r letter name value words help; do
			action=
			if [ "$value" != - ]; then
				action=":$(zsh_text "$value"):"
				if is_file "$value"; then action="${action}_files"; fi
				if [ "$words" != - ]; then action="$action($words)"; fi
			fi
			spec="[$(zsh_text "$help")]$action'"
			printf " \\\\\n\t\t\t'*--%s%s%s" "$name" "${action:+=}" "$spec"
			[ "$letter" = - ] || printf " \\\\\n\t\t\t'*-%s%s%s" "$letter" "${action:++}" "$spec"
		done < <(options "$verb")
		if takes_program "$verb"; then
			printf " \\\\\n\t\t\t'(-)1:program: _command_names -e' \\\\\n\t\t\t'*::arguments: _normal'\n"
		else
			printf " \\\\\n\t\t\t'*:file:_files'\n"
		fi
		printf '\t\t;;\n'
	done < <(verbs)
	printf '\tesac\n}\n\n_winnow "$@"\n'
}

fish_text() {
	# shellcheck disable=SC2001 # a class of characters
	sed "s/[\\\\']/\\\\&/g" <<< "$1"
}

write_fish() {
	local verb letter name value words help line
	printf '%s\n' "$header" | sed 's/^/# /'
	printf '\ncomplete -c winnow -n __fish_use_subcommand -f\n'
	printf "complete -c winnow -n __fish_use_subcommand -l help -d 'show the verbs'\n"
	printf "complete -c winnow -n __fish_use_subcommand -l version -s V -d 'show the version'\n"
	printf "complete -c winnow -n __fish_use_subcommand -a help -d 'the options of a verb'\n"
	printf "complete -c winnow -n '__fish_seen_subcommand_from help' -f -a '%s'\n" "$(verbs | cut -f 1 | paste -sd ' ')"
	while IFS=$'\t' read -r verb help; do
		printf "\ncomplete -c winnow -n __fish_use_subcommand -a '%s' -d '%s'\n" "$verb" "$(fish_text "$help")"
		while IFS=$'\t' read -r letter name value words help; do
			line="complete -c winnow -n '__fish_seen_subcommand_from $verb' -l $name"
			[ "$letter" = - ] || line="$line -s $letter"
			if [ "$words" != - ]; then
				line="$line -x -a '$words'"
			elif is_file "$value"; then
				line="$line -r -F"
			elif [ "$value" != - ]; then
				line="$line -x"
			fi
			printf "%s -d '%s'\n" "$line" "$(fish_text "$help")"
		done < <(options "$verb")
		if takes_program "$verb"; then
			printf "complete -c winnow -n '__fish_seen_subcommand_from %s' -a '(__fish_complete_subcommand --fcs-skip=2)'\n" "$verb"
		fi
	done < <(verbs)
}

[ -n "$(verbs)" ] || exit 1
if [ -z "$is_check" ]; then
	write_bash > "$folder/winnow.bash"
	write_zsh > "$folder/_winnow"
	write_fish > "$folder/winnow.fish"
	exit
fi

number=0
check() {
	number=$((number + 1))
	if diff -u "$folder/$1" <("write_$2") > "$difference"; then
		echo "ok $number - $1 has the verbs and options of the command"
	else
		echo "not ok $number - $1 has the verbs and options of the command"
		sed 's/^/# /' "$difference"
	fi
}
difference=$(mktemp)
trap 'rm -f "$difference"' EXIT
check winnow.bash bash
check _winnow zsh
check winnow.fish fish
for shell in bash:winnow.bash zsh:_winnow fish:winnow.fish; do
	number=$((number + 1))
	if ! command -v "${shell%%:*}" > /dev/null; then
		echo "ok $number - ${shell%%:*} reads it # SKIP ${shell%%:*} is missing"
	elif "${shell%%:*}" -n "$folder/${shell#*:}" 2> "$difference"; then
		echo "ok $number - ${shell%%:*} reads it"
	else
		echo "not ok $number - ${shell%%:*} reads it"
		sed 's/^/# /' "$difference"
	fi
done
echo "1..$number"
