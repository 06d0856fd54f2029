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
