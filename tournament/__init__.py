"""Schedules boards, has them played, rates the bots, stores and shows it all."""
