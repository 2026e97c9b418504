"""The tools by which agents reach the mail line."""
