# --group leaves out all that is not inside
"$MAKE_RUN" tree > tree.winnow
winnow export tree.winnow --format csv --group P0.s0.1/F0 | cut -d, -f1-4
winnow export tree.winnow --format dot --group P0.s0.1/F0 | grep "tooltip=\| -> "
winnow export tree.winnow --format graphml --group P0.s0.1/L | grep -c "<node\|<edge\|\"g4\">P0.s0.1/L<"
winnow export tree.winnow --format svg --group P0.s0.1/L | grep "only \|<svg"
winnow export tree.winnow --format graphml --nested --group P0.s0.1/L | grep "<node\|<edge\|\"g7\""
winnow export tree.winnow --format svg --folded --group P0.t0/F0 | grep "only "
winnow export tree.winnow --format dot --form fragments --group P0.s0.1/F0 | grep -c "\[shape"
