"""The analysis of finished games, and hints. Both use only what the mover knew."""
