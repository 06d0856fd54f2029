# --theta prints one row: grains, nodes, what must be seen of them at once, nodes of the tree
"$MAKE_TRACE" loop > loop.winnow
winnow report --theta loop.winnow
"$MAKE_TRACE" tasks > tasks.winnow
winnow report --theta tasks.winnow
"$MAKE_TRACE" regions > regions.winnow
winnow report --theta regions.winnow
#= stdout
#|   program           grains  nodes  theta_c max  savings %  theta_pb max  savings %  tree nodes
#|   ./fake --size 10       8     16            9      43.75             1      93.75          13
#|   program    grains  nodes  theta_c max  savings %  theta_pb max  savings %  tree nodes
#|   ./fake 10     201    207          205       0.97           205       0.97         204
#|   program    grains  nodes  theta_c max  savings %  theta_pb max  savings %  tree nodes
#|   ./fake 10       0      2            -          -             -          -           0
