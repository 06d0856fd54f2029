# What is no recording is refused
echo hello > hello.winnow
winnow tree hello.winnow
#= exit 1
#= stderr
#| winnow tree: hello.winnow: byte 0: not a Winnow trace (no magic number at byte 0)
