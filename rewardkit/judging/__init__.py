"""A model asked where rules cannot tell: how it is asked, by what client, what is kept and counted.

words.py     what keeps a response from giving orders: fences, decoys
profiles.py  prompts and labels of published verifier models
settings.py  what is said of a judge
asking.py    what verifiers share that wait for a model
memory.py    replies by content, in one file that processes share
judge.py     the verifier `judge`; behind.py has rules first, `math+judge`
rubric.py, reward_model.py  the verifiers of these names
"""

from rewardkit.judging.behind import behind_rules
from rewardkit.judging.judge import Judge
from rewardkit.judging.profiles import PROFILES, Profile
from rewardkit.judging.reward_model import RewardModel
from rewardkit.judging.rubric import Rubric

__all__ = ["PROFILES", "Judge", "Profile", "RewardModel", "Rubric", "behind_rules"]
