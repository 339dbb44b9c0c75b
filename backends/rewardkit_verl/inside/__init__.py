"""What runs inside verl's processes: reward manager, estimators, loss, replay buffer, trainer.

Importing any of it imports verl first, and with it, through the plugin, all of it. A process that
unpickles one of these classes meets no half-imported module that way.
"""

import verl  # noqa: F401
