"""What a command says of Ctrl-C: one sentence, from whoever knows most."""

import pytest

from rewardkit.cli import COMMANDS, main
from rewardkit.signals import STOPPED


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
