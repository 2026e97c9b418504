"""Knowledge that can be learned from what people wrote."""
