# A format that does not exist is a usage error
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format png
