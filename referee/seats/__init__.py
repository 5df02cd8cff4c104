"""The ways to reach whoever sits in a seat."""
