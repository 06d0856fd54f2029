# Standard output is the same as a file
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow -o tree.dot
winnow export tree.winnow --format dot | cmp - tree.dot
winnow export tree.winnow --format dot -o - | cmp - tree.dot
