# The data alone, by the name's ending
"$MAKE_RUN" tree > tree.winnow
winnow view tree.winnow -o tree.grains
head -c 8 tree.grains
echo
#= stdout glob
#| tree.grains: 0.0 MB, * grains
#| WINGRAIN
