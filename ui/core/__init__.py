"""The ground of every part of the window, and the pages that are of neither mail nor agents."""
