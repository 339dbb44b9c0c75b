"""A task whose environment answers each box of the model once, for runs of the tiny model."""

from rewardkit.environments import Reply
from rewardkit.tasks import load_task


class Doubt:
    stop, roles = ("}",), ()

    def __init__(self, noted):
        self.noted = noted

    def begin(self, problem):
        return {"turns": 0}

    def reply(self, problem, state, turn):
        if self.noted:
            with open(self.noted, "a") as file:
                file.write(".")
        if problem.answer == "10":
            raise RuntimeError("a fault of the tool")
        sure = state["turns"] or "}" not in turn
        return Reply(
            "" if sure else " 1 + 1 = 2 ", {"turns": state["turns"] + 1}, errors=0 if sure else 1
        )


def task(noted: str = ""):
    """The task; its environment adds a dot to the file `noted` for each turn that it answers."""
    from dataclasses import replace

    found = load_task("arithmetic", operations=["+"], train_size=12)
    return replace(found, environment=Doubt(noted))
