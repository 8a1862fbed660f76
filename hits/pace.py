"""How fast an account is called: as fast as it goes, until the endpoint says that this is too fast.

One pace for all jobs of all machines, kept in Redis under Redis's own clock. It is free at first. After a
ThrottlingException all is still for a moment; then calls come evenly, a little slower than those that were let
through, and, while no other refusal follows, slowly faster, until the pace is free again. Losing it loses nothing: it
is found anew.
"""

from __future__ import annotations

import hashlib
import logging
from functools import cache
from typing import Any

import redis
from django.conf import settings

logger = logging.getLogger(__name__)

FIRST, LEAST, MOST = 5.0, 0.5, 1000.0  # calls a second: after the first refusal, at the slowest; free from here on
# Seconds without a call after a refusal. Who refuses has counted ahead: calls at just the right pace, but without a
# rest first, would go on being refused for falling a hair too early.
REST = 1.0
FASTER_EVERY, FASTER = 2.0, 1.02  # seconds, and by which factor
CALM, FASTER_WHEN_CALM = 30.0, 1.25  # seconds without a refusal, and by which factor then
FORGOTTEN_AFTER = 600  # seconds without a call

_NOW = """
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local function read(name) return tonumber(redis.call('HGET', KEYS[1], name)) end
local rate, due, since, passed = read('rate'), read('due') or 0, read('since') or 0, read('passed') or 0
local changed, faster = read('changed') or 0, read('faster') or 0
local function write(...)
  redis.call('HSET', KEYS[1], ...)
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
"""
# Returns for how many milliseconds to wait for one's turn; or -1 where that is longer than ARGV[2], with no turn taken.
_TURN = (
    _NOW
    + """
if now - since > (rate and 5 or 1) then since, passed = now, 0 end
if not rate then
  write('since', since, 'passed', passed + 1)
  return 0
end
if now - faster >= tonumber(ARGV[3]) then
  rate = rate * (now - changed > tonumber(ARGV[5]) and tonumber(ARGV[6]) or tonumber(ARGV[4]))
  faster = now
end
if rate > tonumber(ARGV[7]) then
  redis.call('DEL', KEYS[1])
  return 0
end
local wait = math.max(0, due - now)
if wait * 1000 > tonumber(ARGV[2]) then return -1 end
write('rate', rate, 'due', now + wait + 1 / rate, 'faster', faster, 'since', since, 'passed', passed + 1)
return math.ceil(wait * 1000)
"""
)
# Calls that were under way together are refused together: that is one reason to slow down, not several.
_SLOWER = (
    _NOW
    + """
passed = math.max(0, passed - 1)
if rate and now - changed < 1 then
  write('passed', passed)
  return 0
end
-- Who was still, or slow, for a second is let through a second's worth of calls at once.
local let_through = 0.95 * passed / (1 + math.max(0, now - since))
if rate then
  rate = math.max(tonumber(ARGV[3]), math.min(0.9 * rate, math.max(0.5 * rate, let_through)))
else
  rate = math.max(tonumber(ARGV[2]), let_through)
end
local rested = now + math.max(1 / rate, tonumber(ARGV[4]))
write('rate', rate, 'due', rested, 'changed', now, 'faster', now, 'since', rested, 'passed', 0)
return 0
"""
)


@cache
def _redis() -> Any:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


@cache
def _scripts() -> tuple[Any, Any]:
    return _redis().register_script(_TURN), _redis().register_script(_SLOWER)


def account(url: str, access_key: str) -> str:
    """The key under which the pace of an account is kept; it tells nothing about the account."""
    return "spanwright:pace:" + hashlib.sha256(f"{url} {access_key}".encode()).hexdigest()[:32]


def turn(key: str, most_seconds: float) -> float | None:
    """Take the next turn of the account; return the seconds to wait for it, or None if that is too long."""
    values = [FORGOTTEN_AFTER, 1000 * most_seconds, FASTER_EVERY, FASTER, CALM, FASTER_WHEN_CALM, MOST]
    milliseconds = _run(0, values, key)
    return None if milliseconds < 0 else milliseconds / 1000


def slower(key: str) -> None:
    """Say that the endpoint refused a call of the account as one too many."""
    _run(1, [FORGOTTEN_AFTER, FIRST, LEAST, REST], key)


def _run(script: int, values: list[float], key: str) -> int:
    try:
        return int(_scripts()[script](keys=[key], args=values))
    except redis.RedisError as error:
        logger.warning("No pace can be kept, as Redis does not answer: %s", error)
        return 0
