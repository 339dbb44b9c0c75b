"""Names and settings become tasks: problems, how each is asked, and its verifier.

loading.py    from a name or a data set to a task
settings.py   from a run's `[task]` to its task
mixture.py    several tasks as one: each problem asked and graded by its own
"""

from rewardkit.data.asking import BOXED_PROMPT as BOXED_PROMPT
from rewardkit.data.asking import PromptTemplate as PromptTemplate
from rewardkit.data.opening import read_rows as read_rows
from rewardkit.data.problems import check_integer_gold as check_integer_gold
from rewardkit.tasks.loading import HELD_OUT as HELD_OUT
from rewardkit.tasks.loading import check_name as check_name
from rewardkit.tasks.loading import data_task as data_task
from rewardkit.tasks.loading import load_task as load_task
from rewardkit.tasks.loading import make_task as make_task
from rewardkit.tasks.loading import opened as opened
from rewardkit.tasks.loading import read_problems as read_problems
