"""The foundation of all routes, and those that ask neither the mail line nor agents."""
