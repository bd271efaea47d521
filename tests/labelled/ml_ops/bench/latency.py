"""How long one prediction takes: joblib model, ONNX export, and the net on CPU."""

import statistics
import time

import joblib
import numpy as np
import onnxruntime
import torch

from nets.utils import TabularNet

ROWS = np.random.default_rng(0).random((1000, 5), dtype=np.float32)


def timed(call, repeats: int = 200) -> tuple[float, float]:
    times = []
    for index in range(repeats):
        row = ROWS[index : index + 1]
        began = time.perf_counter_ns()
        call(row)
        times.append((time.perf_counter_ns() - began) / 1e6)
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def main() -> None:
    model = joblib.load("models/churn.joblib")
    session = onnxruntime.InferenceSession("models/churn.onnx")
    net = TabularNet([2], 4).eval()
    candidates = {
        "joblib": model.predict_proba,
        "onnx": lambda row: session.run(None, {"x": row}),
        "net": lambda row: net(torch.zeros(1, 1, dtype=torch.long), torch.from_numpy(row[:, :4])),
    }
    for name, call in candidates.items():
        median, p99 = timed(call)
        print(f"{name:8} median {median:.3f} ms  p99 {p99:.3f} ms")


if __name__ == "__main__":
    main()
