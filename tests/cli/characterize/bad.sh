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
