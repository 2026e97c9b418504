"""How the screen's classifier is trained: `python -m data.training.screening`, or `make train`."""
