import torch
from torch import nn


class ResidualBlock(nn.Module):
    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(4 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.inner(self.norm(x))


class TabularNet(nn.Module):
    """Embeds the categories, concatenates the numbers, then a residual trunk."""

    def __init__(self, cardinalities: list[int], numbers: int, width: int = 128, depth: int = 4, dropout: float = 0.1) -> None:
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(size, min(32, size // 2 + 1)) for size in cardinalities)
        inputs = sum(e.embedding_dim for e in self.embeddings) + numbers
        self.stem = nn.Linear(inputs, width)
        self.trunk = nn.Sequential(*(ResidualBlock(width, dropout) for _ in range(depth)))
        self.head = nn.Linear(width, 1)

    def forward(self, categories: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        embedded = [e(categories[:, i]) for i, e in enumerate(self.embeddings)]
        return self.head(self.trunk(self.stem(torch.cat([*embedded, numbers], dim=1)))).squeeze(1)
