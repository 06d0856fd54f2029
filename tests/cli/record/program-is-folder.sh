# a folder is no program
mkdir folder
winnow record ./folder
