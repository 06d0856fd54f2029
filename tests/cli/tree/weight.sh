# --weight time adds what making tasks costs, and names its column after it; work is the default
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --depth 3 --weight time
winnow tree tree.winnow --depth 3 > plain
winnow tree tree.winnow --depth 3 --weight work | cmp - plain
winnow tree tree.winnow --json --weight time | jq -c '[.weight, .nodes[0].weight, .nodes[0].span_weight, .nodes[0].work_ns]'
winnow tree tree.winnow --json | jq -c '[.weight, .nodes[0].weight, .nodes[0].span_weight]'
winnow tree tree.winnow --weight nothing || echo $?
