# A group that is none: the nearest above it is named
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format dot --group P0.s0.1/F3
