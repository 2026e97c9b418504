"""What every part of the window stands on, and the pages that are of neither mail nor agents."""
