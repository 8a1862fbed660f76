"""Doors into the marketplace: how workers come in. Rests on the marketplace's core, which does not know of it."""
