#: completion
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
#| winnow record --source = : auto ompt ompt-grain libgomp pomp2
#| winnow export -f t: taskgraph
#| winnow export --format : graphml dot svg taskgraph csv gexf plain bare nodes edges mir-csv profile contribution
#| winnow view --propagate m: min max median mean
#| winnow report pro: prog.winnow
#| winnow report -o folder/: folder/a.winnow
#| winnow record -o f: folder
#| winnow record -o x ./pro: ./prog.winnow
#| winnow record -- ./prog.winnow --gro: 
#| winnow record --source = omp: ompt ompt-grain
#: full-disk
# output that cannot be written is a failure
winnow --help > /dev/full
#= exit 1
#= stderr
#| winnow: standard output: No space left on device
#: libraries
# Libraries of a few verbs are not loaded when the command starts
LD_TRACE_LOADED_OBJECTS=1 winnow > libraries
grep -c 'libdw' libraries
! grep -E 'libpfm|libexpat|liblapack' libraries
#= stdout
#| 1
#: names
# names of files steer no terminal, whatever prints them
cp "$COMPILED/cli-omp.c.gcc" omp
name=$(printf 'a\033[31m\342\200\256b\302\205\377\nc')
shown='a\x1b[31m\u202eb\u0085\xff\nc'
# Says what of a verb's output is wrong. Standard output and messages are looked at together.
try() {
	"$@" > said 2>&1 || true
	LC_ALL=C grep -q -P '\x1b|\xe2\x80\xae|\xc2[\x80-\x9f]|\xff' said && echo "$2: raw"
	iconv -f UTF-8 -t UTF-8 said > /dev/null 2>&1 || echo "$2: no UTF-8"
	grep -q -F "$shown" said || echo "$2: not shown"
}
for verb in report check dump tree export diff view import similar doctor characterize; do
	case $verb in
	diff | similar) try winnow "$verb" "$name" "$name" ;;
	export) try winnow "$verb" --format csv "$name" ;;
	*) try winnow "$verb" "$name" ;;
	esac
done
cp omp "$name"
name=$(printf 'a\033[31m\342\200\256b\302\205\377c')
shown='a\x1b[31m\u202eb\u0085\xffc'
cp omp "$name"
try winnow record -o "$name.winnow" "./$name"
try winnow report "$name.winnow"
try winnow dump "$name.winnow"
try winnow view -o "$name.html" "$name.winnow"
echo done
#= stdout
#| done
