# A problem that is none: those that there are
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --problem slowness
