# An id that is none: the nearest above it is named
"$MAKE_RUN" tree > tree.winnow
for id in P0.s0.1.2.7/L P0.s0.9 P0.t0/F0/A1 P0.t0/F7 X P0.t0/L/R1-2 "" ; do
	status=0
	winnow tree tree.winnow "$id" || status=$?
	echo "$status"
done
