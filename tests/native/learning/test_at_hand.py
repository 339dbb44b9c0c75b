import torch

from rewardkit_native.learning.update import at_hand

HOST, GPU = torch.device("cpu"), torch.device("cuda", 0)


class Moved:
    """A model that says where it is, as those of transformers do."""

    def __init__(self, device: torch.device) -> None:
        self.places = [device]

    @property
    def device(self) -> torch.device:
        return self.places[-1]

    def to(self, device: torch.device) -> None:
        self.places.append(device)


def test_a_model_is_there_within_and_back_where_it_waits_after() -> None:
    model = Moved(HOST)
    with at_hand(model, GPU):
        assert model.device == GPU
    assert model.places == [HOST, GPU, HOST]


def test_a_model_that_is_there_already_is_not_moved() -> None:
    model = Moved(GPU)
    with at_hand(model, GPU):
        pass
    assert model.places == [GPU]
