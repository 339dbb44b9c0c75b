"""Verifiers of tasks that are looked through; a module of its own, so that workers can import it."""

from rewardkit.environments import Reply


def exactly(response, answer):
    """Compare texts; nothing is ever a maybe."""
    return response == answer and answer != "maybe"


def program(response, answer, tests):
    """Say whether a program prints what its test asks for."""
    return response == f"print({tests[0]})"


def marked(response, answer):
    return response == f"Elements: {answer}"


class Game:
    """An environment that grades: no gold is a turn of it."""

    stop, roles = (), ("user",)

    def begin(self, problem):
        return {}

    def reply(self, problem, state, turn):
        return Reply()

    def grade(self, problem, state):
        return False
