"""How good a model is, in the numbers that the release criteria speak of."""

import math


def ranks(scores):
    """Positions by descending score."""
    return sorted(range(len(scores)), key=lambda at: -scores[at])


def auc(labels, scores):
    """Area under the curve by counting pairs; ties count half."""
    positive = [score for label, score in zip(labels, scores) if label]
    negative = [score for label, score in zip(labels, scores) if not label]
    if not positive or not negative:
        return float("nan")
    wins = sum((p > n) + 0.5 * (p == n) for p in positive for n in negative)
    return wins / (len(positive) * len(negative))


def recall_at(labels, scores, share=0.01):
    """How much of the fraud is among the highest scores."""
    most = max(1, int(len(scores) * share))
    return sum(labels[at] for at in ranks(scores)[:most]) / max(1, sum(labels))


def brier(labels, scores):
    """Mean squared error of the probabilities."""
    return sum((label - score) ** 2 for label, score in zip(labels, scores)) / len(labels)


def log_loss(labels, scores):
    """Cross entropy, with scores kept off zero and one."""
    total = 0.0
    for label, score in zip(labels, scores):
        score = min(max(score, 1e-9), 1 - 1e-9)
        total -= math.log(score if label else 1 - score)
    return total / len(labels)


def measure(labels, scores):
    """All of them by name."""
    return {
        "auc": auc(labels, scores),
        "recall_at_1pct": recall_at(labels, scores),
        "brier": brier(labels, scores),
        "log_loss": log_loss(labels, scores),
    }
