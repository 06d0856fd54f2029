# the program inherits the signal dispositions winnow was started with
grep '^Sig[IB]' /proc/self/status > without
winnow record grep '^Sig[IB]' /proc/self/status > with 2> /dev/null
cmp without with
trap '' INT HUP CHLD
grep '^Sig[IB]' /proc/self/status > without
winnow record grep '^Sig[IB]' /proc/self/status > with 2> /dev/null
cmp without with
