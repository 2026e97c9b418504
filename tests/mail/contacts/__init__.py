"""What is held on one contact: counted, exported, erased to the last byte."""
