# --against puts what winnow diff says of the two into the index, and needs recordings
command -v python3 > /dev/null || { echo "python3 is missing"; exit 77; }
"$MAKE_RUN" tree > a.winnow
"$MAKE_RUN" loop > b.winnow
winnow diff --json a.winnow b.winnow | jq -c '[.headline, .structure, .word, .grains.matched]' > told
winnow view b.winnow --against a.winnow -o b.grains > said
python3 - << 'EOF' | jq -c '.diff | [.headline, .structure, .word, .grains.matched]' > held
import struct, sys, zlib
data = open('b.grains', 'rb').read()
at, n = struct.unpack_from('<QI', data, 24)
sys.stdout.write(zlib.decompress(data[at:at + n], -15).decode())
EOF
test -s told
cmp told held
winnow view b.winnow -o alone.grains > said
winnow view --serve b.grains --against a.winnow || echo "status $?"
winnow view b.winnow --against missing.winnow -o c.grains || echo "status $?"
test ! -e c.grains
#= stdout
#| status 2
#| status 1
#= stderr
#| winnow view: b.grains: is a file of grains; --against needs a recording
#| winnow view: missing.winnow: cannot open: No such file or directory
