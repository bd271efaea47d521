from collections.abc import Callable

import flax.linen as nn
import jax.numpy as jnp


class Harmonics(nn.Module):
    periods: tuple[float, ...]

    @nn.compact
    def __call__(self, t):
        w = 2 * jnp.pi / jnp.asarray(self.periods)
        phase = self.param("phase", nn.initializers.zeros, (len(self.periods),))
        z = t[..., None] * w + phase
        return jnp.concatenate([jnp.sin(z), jnp.cos(z)], -1)


class Surge(nn.Module):
    hidden: int = 128
    depth: int = 3
    act: Callable = nn.gelu

    @nn.compact
    def __call__(self, wind, pressure, t, train: bool = False):
        h = jnp.concatenate([wind, pressure[..., None], Harmonics((12.42, 12.0, 25.82))(t)], -1)
        for _ in range(self.depth):
            r = nn.LayerNorm()(h)
            r = nn.Dense(self.hidden)(r)
            r = nn.Dropout(0.1, deterministic=not train)(self.act(r))
            h = r if h.shape != r.shape else h + r
        return nn.Dense(1)(h).squeeze(-1)
