"""Starts and stops what the product runs on: PostgreSQL, Redis, both sites, Celery. No room imports it."""
