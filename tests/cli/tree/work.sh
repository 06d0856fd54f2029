# Without problems the tree is open where the work is
"$MAKE_RUN" depend > depend.winnow
winnow tree depend.winnow --raw
