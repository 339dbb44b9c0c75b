"""What a command says of Ctrl-C: one sentence, from whoever knows most."""

import pytest

from rewardkit.cli import COMMANDS, main
from rewardkit.cli.printing import interruptible
from rewardkit.pages.console import Console
from rewardkit.runs.signals import STOPPED


@pytest.mark.parametrize(("carried", "said"), [((), "stopped\n"), ((STOPPED,), "")])
def test_who_stopped_in_order_has_said_so_itself(monkeypatch, capsys, carried, said):
    def interrupted():
        raise KeyboardInterrupt(*carried)

    monkeypatch.setitem(COMMANDS, "tasks", (f"{__name__}:command", ""))
    monkeypatch.setitem(globals(), "command", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["tasks"])
    assert ended.value.code == 130
    assert capsys.readouterr().err == said


def test_a_command_that_is_stopped_while_it_is_imported_leaves_no_traceback(
    monkeypatch, capsys, tmp_path
):
    (tmp_path / "slow_command.py").write_text("raise KeyboardInterrupt")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(COMMANDS, "tasks", ("slow_command:command", ""))
    with pytest.raises(SystemExit, match="130"):
        main(["tasks"])
    assert capsys.readouterr().err == "stopped\n"


def test_a_command_that_draws_says_that_what_was_drawn_is_kept(capsys):
    with pytest.raises(SystemExit, match="130"), interruptible(Console()):
        raise KeyboardInterrupt
    assert "what was drawn is kept, and the same command goes on" in capsys.readouterr().out
