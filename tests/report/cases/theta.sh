# --theta prints one row: grains, nodes, what must be seen of them at once, nodes of the tree
"$MAKE_TRACE" loop > loop.winnow
winnow report --theta loop.winnow
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --theta tasks.winnow
"$MAKE_TRACE" regions > regions.winnow
winnow report --theta regions.winnow
