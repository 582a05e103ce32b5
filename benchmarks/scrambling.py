"""The control arm with scrambled weights: what is left is their sizes, not what they mean."""

import copy

import torch
from torch import nn

from rlaios_core.student import Student


def scramble(network: nn.Module, seed: int) -> None:
    """Permute the entries of every tensor, in place."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in network.parameters():
            order = torch.randperm(parameter.numel(), generator=generator)
            parameter.copy_(parameter.flatten()[order].reshape(parameter.shape))


def scrambled(student: Student) -> Student:
    """A greedy student with the same weights in any order."""
    network = copy.deepcopy(student.network)
    scramble(network, seed=0)
    return Student(network, student.settings, greedy=True)
