"""Mail in the window: its pages and pieces, what people decide, and its part of the API."""
