# The work map and the structure are well-formed SVG, of the whole and of a group, by problem and by place
"$MAKE_RUN" tree > tree.winnow
for options in "--map" "--map --by-place" "--structure" "--structure --group P0.s0.1/L" \
	"--map --view parallel_benefit"; do
	# shellcheck disable=SC2086
	winnow export tree.winnow -o picture.svg $options
	python3 - picture.svg <<'CHECK'
import sys
import xml.etree.ElementTree as xml
svg = '{http://www.w3.org/2000/svg}'
root = xml.parse(sys.argv[1]).getroot()
width, height = float(root.get('width')), float(root.get('height'))
boxes = [r for r in root.iter(svg + 'rect') if r.get('x')]
inside = all(-9 <= float(r.get('x')) <= width + 9 and -9 <= float(r.get('y')) <= height + 9 for r in boxes)
print('drawn' if inside and len(boxes) > 3 else 'not drawn')
CHECK
done
#= stdout
#| drawn
#| drawn
#| drawn
#| drawn
#| drawn
