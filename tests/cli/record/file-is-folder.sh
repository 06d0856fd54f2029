# a folder is not overwritten
mkdir folder
winnow record -o folder echo ran
