"""Redis as the cache that all hosts share."""

from __future__ import annotations

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from qc4site.caches import MemoryMeanwhile


class Redis(MemoryMeanwhile, RedisCache):
    """Entries for all hosts; while it is away each process remembers by itself."""

    broken = (OSError, RedisError)
    pause = 5.0
