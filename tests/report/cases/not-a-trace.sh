# A file of something else is refused
echo hello > hello.txt
winnow report hello.txt
#= exit 1
#= stderr
#| winnow report: hello.txt: byte 0: not a Winnow trace (no magic number at byte 0); winnow record makes traces
