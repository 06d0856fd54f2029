# --json has the same nodes
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --json
