"""What a task must be like to be used at all: columns when it is loaded, chats when it is asked."""

from rewardkit.checks.chats import chat_of, encode, encode_problem
from rewardkit.checks.columns import check_columns

__all__ = ["chat_of", "check_columns", "encode", "encode_problem"]
