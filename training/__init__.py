"""How the small models are trained; scikit-learn is needed here and nowhere else."""
