"""The mail line, which carries a message: taking, gathering, running stages, deciding."""
