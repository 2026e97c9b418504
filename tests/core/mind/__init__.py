"""What mail and agents think with: answers, claims, leaks, and the knowledge index."""
