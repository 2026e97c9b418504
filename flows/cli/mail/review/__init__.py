"""`postern case` and `postern write`: what a person makes of a case, or writes anew."""
