"""Starts and stops what the product runs on: PostgreSQL, Redis, both sites, Celery. Plain Python; no room imports it."""
