# --problem lets one type count, --threshold moves it
"$MAKE_RUN" tree > tree.winnow
winnow tree tree.winnow --problem sibling_work_balance --threshold "sibling_work_balance>1.4"
