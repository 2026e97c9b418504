"""What routes stand on, and those that ask neither the mail line nor agents."""
