# --group looks at a part alone, by the name of a group or a grain
command -v jq > /dev/null || { echo "jq is missing"; exit 77; }
"$MAKE_TRACE" loop > a.winnow
winnow diff --json --group P0.L0 a.winnow a.winnow | jq -c '[.part, .grains.matched, .sites[].grains]'
winnow diff --json --group 'P0.L0[4:6)' a.winnow a.winnow | jq -c '[.part, .grains.matched, .sites[].grains]'
winnow diff --json a.winnow a.winnow | jq -c '[.part, .grains.matched, .sites[].grains]'
winnow diff --group P77.L3 a.winnow a.winnow
#= exit 2
#= stdout
#| ["P0.L0",6,[6,6]]
#| ["P0.L0[4:6)",1,[1,1]]
#| [null,6,[6,6],[2,2]]
#= stderr
#| winnow diff: no group or grain of either run is called 'P77.L3'
