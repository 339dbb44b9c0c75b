"""What answers a model's turns: tools, games, environments of others, in processes that are killed.

A rollout with an environment is a list of segments, the model's and the environment's. Tokens of
the environment are in no loss, KL, entropy, length or penalty. What was sampled is what is trained
on: no turn is tokenised again (`Chat`).
"""

from rewardkit.environments.attempts import Attempts
from rewardkit.environments.chat import Chat
from rewardkit.environments.environment import Environment, Reply
from rewardkit.environments.formats import FORMATS
from rewardkit.environments.measures import turn_metrics
from rewardkit.environments.pool import EnvironmentPool
from rewardkit.environments.tool import Tool
from rewardkit.environments.tools import TOOLS, ToolEnvironment, with_tools

__all__ = [
    "FORMATS",
    "TOOLS",
    "Attempts",
    "Chat",
    "Environment",
    "EnvironmentPool",
    "Reply",
    "Tool",
    "ToolEnvironment",
    "turn_metrics",
    "with_tools",
]
