"""How the screen's classifier is trained: `python -m training.screening`, or `make train`."""
