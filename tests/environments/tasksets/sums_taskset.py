"""A taskset of verifiers: one turn, two weighted rewards and a metric."""

import verifiers.v1 as vf


class SumData(vf.TaskData):
    answer: int


class SumTask(vf.Task[SumData]):
    @vf.reward(weight=0.75)
    async def right(self, trace) -> float:
        return float(f"\\boxed{{{self.data.answer}}}" in trace.last_reply)

    @vf.reward(weight=0.25)
    async def boxed(self, trace) -> float:
        return float("\\boxed{" in trace.last_reply)

    @vf.metric
    async def turns(self, trace) -> float:
        return float(trace.num_turns)


class SumTaskset(vf.Taskset[SumTask]):
    def load(self):
        for a in range(1, 10):
            for b in range(1, 10):
                yield SumTask(SumData(prompt=f"What is {a} + {b}?", answer=a + b))


__all__ = ["SumTaskset"]
