# What is no group is a usage error
"$MAKE_TRACE" tasks > a.winnow
for id in P7/F0 P0.t0.1 "" R; do
	status=0
	winnow similar a.winnow "$id" || status=$?
	echo $status
done
winnow similar --wl-h=1000 a.winnow || echo $?
winnow similar missing.winnow || echo $?
