# --critical opens the longest path of a group that the critical one does not come to
"$MAKE_RUN" loop > loop.winnow
winnow tree loop.winnow P0.t1/L --critical
