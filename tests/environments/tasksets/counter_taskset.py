"""A taskset of verifiers: several turns, with tools that remember in their state."""

import verifiers.v1 as vf


class Counted(vf.State):
    total: int = 0


class Counter(vf.Toolset[vf.ToolsetConfig, Counted]):
    TOOL_PREFIX = None

    @vf.tool
    def add(self, number: int) -> int:
        """Add a number to the total and return it."""
        self.state.total += number
        return self.state.total


class CountTask(vf.Task[vf.TaskData, Counted]):
    @classmethod
    def toolsets(cls, config):
        return [Counter(vf.ToolsetConfig())]

    @vf.reward
    async def reached(self, trace) -> float:
        return min(trace.state.total / 10, 1.0)

    @vf.metric
    async def calls(self, trace) -> float:
        return float(len(trace.tool_messages))


class CountTaskset(vf.Taskset[CountTask]):
    def load(self):
        for n in range(80):
            yield CountTask(vf.TaskData(prompt=f"Count to ten ({n})."))


__all__ = ["CountTaskset"]
