"""How models are asked, and what can be said of the settings before any model is."""
