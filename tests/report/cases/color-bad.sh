# --color knows three words
winnow report --color=sometimes missing.winnow
