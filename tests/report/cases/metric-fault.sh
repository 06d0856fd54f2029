# A metric that means nothing is a usage error
winnow report missing.winnow --metric "x = 1 + wrok_ns"
