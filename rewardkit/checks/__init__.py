"""What a task must be like to be used at all: columns when it is loaded, chats when it is asked.

And the prompt that comes of a chat.
"""

from rewardkit.checks.chats import chat_of
from rewardkit.checks.columns import check_columns
from rewardkit.checks.prompts import encode, encode_problem

__all__ = ["chat_of", "check_columns", "encode", "encode_problem"]
