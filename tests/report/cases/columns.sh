# COLUMNS is the width, kept within 80 and 120
"$MAKE_TRACE" killed > killed.winnow
for columns in 20 80 95 120 500; do
	COLUMNS=$columns winnow report killed.winnow | awk -v columns=$columns "
		length > most { most = length }
		END { print (columns < 80 ? most <= 80 : columns > 120 ? most <= 120 : most <= columns) }"
done | sort -u
#= stdout
#| 1
