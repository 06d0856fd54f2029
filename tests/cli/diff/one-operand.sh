# Two recordings are needed
winnow diff a.winnow
