# The tree is open towards the problems
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow
