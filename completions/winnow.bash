# SPDX-License-Identifier: MIT
# Written by tools/gen-completions.sh from the command's option tables; see CONTRIBUTING.md.

# _winnow_words VERB: its options
_winnow_words() {
	case $1 in
	run) echo '--output -o --source --counters --threads --repeat --ranks --report --fail-if --view --paused --no-command --keep-going -k --verbose -v --help -h' ;;
	record) echo '--output -o --source --counters --threads --repeat --ranks --paused --no-command --keep-going -k --verbose -v --help -h' ;;
	count) echo '--output -o --no-footprint --sharing --engine --source --check --no-command --verbose -v --help -h' ;;
	report) echo '--verbose -v --show --json --format -f --group -g --against --fail-if --theta --metric --bad --threshold --propagate --metrics --top --raw --color --compat --form --weight --counts --overlap --info --rank --summary --share --wait --pb-exec --no-pager --help -h' ;;
	tree) echo '--depth -d --problem -p --critical -c --lines -n --json --weight --counts --metric --bad --threshold --propagate --metrics --rank --raw --color --no-pager --help -h' ;;
	view) echo '--output -o --budget --no-source --against --counts --rank --open --serve --socket --port --no-open --metric --bad --threshold --propagate --metrics --help -h' ;;
	diff) echo '--json --format -f --output -o --max-nodes --full-names --group --top --raw --color --deviation --similarity --wl-h --threads-only --fail-if --weight --metric --bad --threshold --propagate --metrics --no-pager --help -h' ;;
	similar) echo '--json --top --wl-h --raw --no-pager --help -h' ;;
	predict) echo '--threads --cutoff --change --search --learn --proofs --json --csv --svg --raw --color --no-pager --help -h' ;;
	prove) echo '--threads --schedule --bind --places --wait-policy --repeat -n --cutoff --change --keep --json --raw --color --help -h' ;;
	characterize) echo '--cutoffs --median --table --weight --counts --keep --ward --clusters -k --json --csv --svg --raw --color --no-pager --help -h' ;;
	export) echo '--format -f --output -o --form --max-nodes --group -g --folded --depth -d --problem -p --critical -c --nested --view --flat-red --overlap --local --map --structure --by-place --full-names --rank --weight --counts --metric --bad --threshold --propagate --metrics --help -h' ;;
	import) echo '--output -o --instructions --hz --quiet -q --help -h' ;;
	dump) echo '--thread --limit --no-pager --help -h' ;;
	check) echo '--quiet -q --help -h' ;;
	doctor) echo '--no-pager --help -h' ;;
	calibrate) echo '--runtime --rounds --help -h' ;;
	cc) echo '--opari --count --footprint --flags --keep -k --verbose -v --help -h' ;;
	c++) echo '--opari --count --footprint --flags --keep -k --verbose -v --help -h' ;;
	fc) echo '--opari --count --footprint --flags --keep -k --verbose -v --help -h' ;;
	esac
}

# _winnow_value VERB OPTION: what follows it: `file`, `word`, the words to choose from, or nothing for a flag
_winnow_value() {
	case $1:$2 in
	run:--source) echo 'auto ompt ompt-grain libgomp pomp2' ;;
	run:--output | run:-o | run:--report) echo file ;;
	run:--counters | run:--threads | run:--repeat | run:--ranks | run:--fail-if) echo word ;;
	record:--source) echo 'auto ompt ompt-grain libgomp pomp2' ;;
	record:--output | record:-o) echo file ;;
	record:--counters | record:--threads | record:--repeat | record:--ranks) echo word ;;
	count:--engine) echo 'auto native qemu' ;;
	count:--source) echo 'auto ompt ompt-grain libgomp pomp2' ;;
	count:--output | count:-o | count:--check) echo file ;;
	report:--show) echo 'head parallelism time findings places problems counters locks mpi names limitations' ;;
	report:--format | report:-f) echo 'text json sarif github quickfix' ;;
	report:--bad) echo 'low high none' ;;
	report:--propagate) echo 'sum min max median mean any again none' ;;
	report:--color) echo 'auto always never' ;;
	report:--form) echo 'reduced fragments' ;;
	report:--overlap) echo 'any within' ;;
	report:--against | report:--metrics | report:--counts | report:--summary) echo file ;;
	report:--group | report:-g | report:--fail-if | report:--metric | report:--threshold | report:--top | report:--weight | report:--rank | report:--share | report:--wait) echo word ;;
	tree:--bad) echo 'low high none' ;;
	tree:--propagate) echo 'sum min max median mean any again none' ;;
	tree:--color) echo 'auto always never' ;;
	tree:--counts | tree:--metrics) echo file ;;
	tree:--depth | tree:-d | tree:--problem | tree:-p | tree:--lines | tree:-n | tree:--weight | tree:--metric | tree:--threshold | tree:--rank) echo word ;;
	view:--bad) echo 'low high none' ;;
	view:--propagate) echo 'sum min max median mean any again none' ;;
	view:--output | view:-o | view:--against | view:--counts | view:--socket | view:--metrics) echo file ;;
	view:--budget | view:--rank | view:--port | view:--metric | view:--threshold) echo word ;;
	diff:--format | diff:-f) echo 'graphml csv' ;;
	diff:--color) echo 'auto always never' ;;
	diff:--bad) echo 'low high none' ;;
	diff:--propagate) echo 'sum min max median mean any again none' ;;
	diff:--output | diff:-o | diff:--metrics) echo file ;;
	diff:--max-nodes | diff:--group | diff:--top | diff:--deviation | diff:--wl-h | diff:--fail-if | diff:--weight | diff:--metric | diff:--threshold) echo word ;;
	similar:--top | similar:--wl-h) echo word ;;
	predict:--color) echo 'auto always never' ;;
	predict:--learn | predict:--proofs | predict:--csv | predict:--svg) echo file ;;
	predict:--threads | predict:--cutoff | predict:--change | predict:--search) echo word ;;
	prove:--color) echo 'auto always never' ;;
	prove:--keep) echo file ;;
	prove:--threads | prove:--schedule | prove:--bind | prove:--places | prove:--wait-policy | prove:--repeat | prove:-n | prove:--cutoff | prove:--change) echo word ;;
	characterize:--ward) echo 'D2 D' ;;
	characterize:--color) echo 'auto always never' ;;
	characterize:--table | characterize:--counts | characterize:--csv | characterize:--svg) echo file ;;
	characterize:--weight | characterize:--keep | characterize:--clusters | characterize:-k) echo word ;;
	export:--format | export:-f) echo 'graphml dot svg taskgraph csv gexf plain bare nodes edges mir-csv profile contribution' ;;
	export:--form) echo 'reduced fragments' ;;
	export:--overlap) echo 'any within' ;;
	export:--bad) echo 'low high none' ;;
	export:--propagate) echo 'sum min max median mean any again none' ;;
	export:--output | export:-o | export:--counts | export:--metrics) echo file ;;
	export:--max-nodes | export:--group | export:-g | export:--depth | export:-d | export:--problem | export:-p | export:--view | export:--local | export:--rank | export:--weight | export:--metric | export:--threshold) echo word ;;
	import:--output | import:-o | import:--instructions) echo file ;;
	import:--hz) echo word ;;
	dump:--thread | dump:--limit) echo word ;;
	calibrate:--runtime) echo 'libgomp libomp' ;;
	calibrate:--rounds) echo word ;;
	esac
}

# _winnow_takes_program VERB: its operands are a command line
_winnow_takes_program() {
	case $1 in
	run | record | count | prove | cc | c++ | fc) return 0 ;;
	*) return 1 ;;
	esac
}

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

_winnow_verbs='run record count report tree view diff similar predict prove characterize export import dump check doctor calibrate cc c++ fc'
complete -F _winnow winnow
