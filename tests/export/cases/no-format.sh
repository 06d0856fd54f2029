# Without a format and without an ending that tells it there is nothing to do
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow
