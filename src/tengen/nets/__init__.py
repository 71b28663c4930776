"""Networks: their files, their inputs and their evaluators. Importing this package does not import torch."""

from tengen.nets.files import ModelInfo, load, read_info, save

__all__ = ["ModelInfo", "load", "read_info", "save"]
