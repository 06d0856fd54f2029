# the recorder is told an absolute path and a way back
winnow record -o here sh -c 'echo "$WINNOW_OUT"; test -w "$WINNOW_BACK" && echo writable' 2> /dev/null > out
test "$(cat out)" = "$PWD/here
writable"
