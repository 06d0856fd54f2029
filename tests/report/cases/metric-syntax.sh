# A metric that cannot mean anything is a usage error, before the file is looked at
winnow report missing.winnow --metric "x = 1 + "
