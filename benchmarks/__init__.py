"""Figures, printed: they depend on the machine, so each stands beside a peer or a share."""
