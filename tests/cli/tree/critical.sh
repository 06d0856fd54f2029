# --critical opens along the critical path
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --critical
