"""Scripted workers that go through the marketplace's worker site over HTTP, as people would. Plain Python."""
