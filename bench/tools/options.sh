# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# options.sh - the command line of a script of bench/, which sources this file:
#
#   rounds=7 compiler=clang-14 is_recorded=1
#   values='build/ rounds cc:compiler' switches='no-record:is_recorded='
#   . "$here/tools/options.sh"
#
# values    options with a value: the variable of that name takes it, or the one behind the colon. With
#           a slash it is a folder, and made absolute.
# switches  options without one, and behind the colon what they set
#
# --help prints the script's head, to where its comment ends.

# shellcheck disable=SC2154 # values and switches are the script's
while [ $# -gt 0 ]; do
	if [ "$1" = --help ]; then
		sed -n '3,${/^#/!q;s/^# \{0,1\}//;p}' "$0"
		exit 0
	fi
	option=$1 is_known=
	for word in $switches; do
		[ "$1" = "--${word%%:*}" ] || continue
		eval "${word#*:}"
		is_known=1
	done
	for word in $values; do
		variable=${word#*:}
		variable=${variable%/}
		[ "$1" = "--${word%%[:/]*}" ] || continue
		if [ $# -lt 2 ]; then
			echo "${0##*/}: $1: no value; --help says which" >&2
			exit 2
		fi
		case $word in
		*/) eval "$variable=\$(cd \"\$2\" && pwd)" ;;
		*) eval "$variable=\$2" ;;
		esac
		is_known=1
		shift
		break
	done
	if [ ! "$is_known" ]; then
		echo "${0##*/}: $option: unknown option; --help lists them" >&2
		exit 2
	fi
	shift
done
