# bash completes verbs, options, their values and the program's command line
command -v bash > /dev/null || { echo "bash is missing"; exit 77; }
mkdir folder
touch folder/a.winnow prog.winnow
chmod +x prog.winnow
# complete WORD...: what the last of them may become
cat > complete.bash << 'C'
. "$COMPLETIONS/winnow.bash"
compopt() { :; } # it works only while readline asks
complete_line() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_winnow
	echo "$*: ${COMPREPLY[*]}"
}
complete_line winnow rep
complete_line winnow help di
complete_line winnow report --gro
complete_line winnow report --color ''
complete_line winnow report --color = al
complete_line winnow record --source = ''
complete_line winnow export -f t
complete_line winnow export --format ''
complete_line winnow view --propagate m
complete_line winnow report pro
complete_line winnow report -o folder/
complete_line winnow record -o f
complete_line winnow record -o x ./pro
complete_line winnow record -- ./prog.winnow --gro
complete_line winnow record --source = omp
C
COMPLETIONS=$PROGRAMS/../../../completions bash complete.bash
#= stdout
#| winnow rep: report
#| winnow help di: diff
#| winnow report --gro: --group
#| winnow report --color : auto always never
#| winnow report --color = al: always
#| winnow record --source = : auto ompt libgomp pomp2
#| winnow export -f t: taskgraph
#| winnow export --format : graphml dot svg taskgraph csv gexf plain bare nodes edges mir-csv profile contribution
#| winnow view --propagate m: min max median mean
#| winnow report pro: prog.winnow
#| winnow report -o folder/: folder/a.winnow
#| winnow record -o f: folder
#| winnow record -o x ./pro: ./prog.winnow
#| winnow record -- ./prog.winnow --gro: 
#| winnow record --source = omp: ompt
