# A folder that does not exist is told
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow -o no/tree.svg
