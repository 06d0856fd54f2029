# a text file is no trace
echo hello > notes.txt
winnow check notes.txt
#= exit 1
#= stderr
#| winnow check: notes.txt: not a Winnow trace (no magic number at byte 0)
