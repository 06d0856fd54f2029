# A condition that holds wins over damage
"$MAKE_TRACE" damaged > damaged.winnow
winnow report damaged.winnow --fail-if "grains<4" > /dev/null
