"""What people mean, without a model."""
