# Of a damaged recording the rest is shown
"$MAKE_RUN" damaged > damaged.winnow
winnow view damaged.winnow
