# What is no table is one line
try() {
	status=0
	winnow characterize --table "$1" > out || status=$?
	echo "$status $(wc -c < out)"
}
: > empty.csv && try empty.csv
echo "n,a" > header.csv && try header.csv
printf 'n,a,b\nx,1\n' > fewer.csv && try fewer.csv
printf 'n,a\nx,1,2\n' > more.csv && try more.csv
printf 'n,a\nx,one\n' > word.csv && try word.csv
printf 'n,a\nx,inf\n' > infinite.csv && try infinite.csv
printf 'n,a,a\nx,1,2\n' > twice.csv && try twice.csv
printf 'n,a\n"x,1\n' > open.csv && try open.csv
printf 'n,a\n"x"y,1\n' > after.csv && try after.csv
printf 'n,a\0\nx,1\n' > zero.csv && try zero.csv
printf 'name\nx\n' > single.csv && try single.csv
printf 'n,a,\nx,1,2\n' > nameless.csv && try nameless.csv
mkdir folder.csv && try folder.csv
try none.csv
#= stdout
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#| 1 0
#= stderr
#| winnow characterize: empty.csv: empty; a table has names in its first line and first column
#| winnow characterize: header.csv: no line after the first; a table has names in its first line and first column
#| winnow characterize: fewer.csv: line 2: fewer fields than the first line has
#| winnow characterize: more.csv: line 2: more fields than the first line has
#| winnow characterize: word.csv: line 2, column 'a': 'one' is no finite number; NA stands for a missing one
#| winnow characterize: infinite.csv: line 2, column 'a': 'inf' is no finite number; NA stands for a missing one
#| winnow characterize: twice.csv: line 1: two columns are called 'a'
#| winnow characterize: open.csv: line 2: a quote is not closed
#| winnow characterize: after.csv: line 2: text after a field in quotes
#| winnow characterize: zero.csv: line 1: a zero byte; this is no table of text
#| winnow characterize: single.csv: line 1: only one column; wanted are a name and numbers, with commas
#| winnow characterize: nameless.csv: line 1: a column has no name
#| winnow characterize: folder.csv: Is a directory
#| winnow characterize: none.csv: No such file or directory
