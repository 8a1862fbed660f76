"""Starts and stops what the product runs on: PostgreSQL, Redis, both sites, Celery. No room imports it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
