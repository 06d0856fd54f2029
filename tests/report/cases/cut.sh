# A file cut anywhere is reported on or refused, never a crash
"$MAKE_TRACE" loop > loop.winnow
for bytes in $(seq 1 3001 400000); do
	head -c "$bytes" loop.winnow > cut.winnow
	status=0
	winnow report cut.winnow > /dev/null 2> stderr || status=$?
	test "$(wc -l < stderr)" -le 1
	case $status in 0 | 1 | 3) ;; *) echo "$bytes: $status" ;; esac
done
