# the program gets no file descriptor more than without winnow
ls -l /proc/self/fd | wc -l > without
winnow record ls -l /proc/self/fd 2> /dev/null | wc -l > with
cmp without with
