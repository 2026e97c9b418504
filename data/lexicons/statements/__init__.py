"""Words by which statements are placed and taken apart."""
