import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torchmetrics.classification import MulticlassF1Score


class Block(nn.Module):
    def __init__(self, c, r=4):
        super().__init__()
        self.a = nn.Conv2d(c, c // r, 1)
        self.b = nn.Conv2d(c // r, c // r, 3, padding=1, groups=c // r)
        self.c = nn.Conv2d(c // r, c, 1)
        self.n = nn.GroupNorm(8, c)

    def forward(self, x):
        return x + self.c(F.silu(self.b(F.silu(self.a(self.n(x))))))


class Net(L.LightningModule):
    def __init__(self, classes=11, width=96, depth=6, lr=3e-4):
        super().__init__()
        self.save_hyperparameters()
        self.stem = nn.Conv2d(3, width, 4, stride=4)
        self.body = nn.Sequential(*[Block(width) for _ in range(depth)])
        self.head = nn.Linear(width, classes)
        self.f1 = MulticlassF1Score(classes)

    def forward(self, x):
        return self.head(self.body(self.stem(x)).mean((2, 3)))

    def training_step(self, batch, _):
        x, y = batch
        return F.cross_entropy(self(x), y, label_smoothing=0.05)

    def validation_step(self, batch, _):
        x, y = batch
        self.f1(self(x), y)
        self.log("f1", self.f1, prog_bar=True)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
