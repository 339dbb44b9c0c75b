"""Environments that are servers of others: NeMo-Gym's over HTTP, OpenEnv's over a WebSocket."""
