"""Losses that few need, a paper a file, which makes its own surrogates known by `@surrogate`."""
