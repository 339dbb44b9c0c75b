"""Environments as users write them: whole ones, and with a mistake."""

from rewardkit.environments import Reply


class Kept:
    """Changes its state in place, and says no more of it."""

    stop, roles = (), ("user",)

    def begin(self, problem):
        return {"turns": 0}

    def reply(self, problem, state, turn):
        if state["turns"] == 2:
            return Reply()
        state["turns"] += 1
        return Reply([{"role": "user", "content": "Go on."}])

    def grade(self, problem, state):
        return state["turns"] / 4


class Silent(Kept):
    def reply(self, problem, state, turn):
        return None


class OfSets(Kept):
    def begin(self, problem):
        return {"open": {1, 2}}
