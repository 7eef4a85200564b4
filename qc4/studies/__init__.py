"""Studies of how measures behave, on cases we build and publish."""
