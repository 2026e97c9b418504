"""What carries a message along the line: taking, gathering, running stages, deciding."""
