# A recording without grains
"$MAKE_RUN" serial > serial.winnow
winnow tree serial.winnow
