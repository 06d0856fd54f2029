# A file cut anywhere is compared as far as it goes, or refused, never a crash
"$MAKE_TRACE" loop > loop.winnow
for bytes in $(seq 1 30001 400000); do
	head -c "$bytes" loop.winnow > cut.winnow
	for order in "loop.winnow cut.winnow" "cut.winnow loop.winnow"; do
		status=0
		winnow diff $order > /dev/null 2> stderr || status=$?
		test "$(wc -l < stderr)" -le 1
		case $status in 0 | 1 | 3) ;; *) echo "$bytes: $status" ;; esac
	done
done
