"""Whether more of a measure is better, by its name."""

from __future__ import annotations

import re

_LOWER = re.compile(
    r"loss|err(?:or)?s?$|error_rate|(?:^|_)err(?:or)?(?:_|$)|latenc|duration|elapsed|(?:^|_)(?:time|ms|us|ns|sec|secs|seconds|millis)(?:_|$)|real_time|cpu_time|mse|rmse|\bmae\b|(?:^|_)mae(?:_|$)|mape|smape"
    r"|perplexity|(?:^|_)ppl(?:_|$)|(?:^|_)(?:wer|cer|ter|fid|nll|ece|fpr|fnr|eer|ber)(?:_|$)|brier|memory|(?:^|_)(?:mem|rss|ram)(?:_|$)|(?:^|_)size(?:_|$)|bytes|cost|fail|miss(?:es|ed)?(?:_|$)|timeout|retries"
    r"|(?:^|_)p\d\d(?:_|$|\d)|median_?ms|violations|defects|bugs|drop(?:ped|s)(?:_|$)|false_(?:positive|negative)|divergence|drift|psi(?:_|$)|warnings|residual|deviation|penalty|regret|(?:^|_)stall|mean_time|mttr|distance"
)
_HIGHER = re.compile(
    r"acc(?:uracy)?(?:_|$|@|\d)|(?:^|_)f1|f_?score|f_?beta|precision|recall|sensitivity|specificity|(?:^|_)(?:tpr|tnr|auc|auroc|auprc|map|ap|ndcg|mrr|iou|miou|mcc|ssim|psnr|r2|qps|rps|tps|ops|iops|fps|ips)(?:_|$|@|\d)|roc_auc|pr_auc|bleu|rouge|meteor|chrf"
    r"|r_?squared|throughput|per_sec|(?:^|_)score(?:_|$)|reward|return(?:_|$)|dice|kappa|hit(?:s|_?rate)?(?:_|$|@)|coverage|passed|pass_?(?:rate|@)|success|speedup|gain|lift|explained_variance|availability|uptime|exact_match|(?:^|_)em(?:_|$)|win_?rate|correlation|pearson|spearman|silhouette|purity|top_?\d"
)
_SETTING = re.compile(
    r"(?:^|_|\.)(?:epochs?|steps?|iter(?:ation)?s?|batch(?:_?size)?|lr|learning_rate|seed|fold|rank|n_\w+|num_\w+|count|rounds|warmup|momentum|weight_decay|dropout|hidden\w*|layers?|timestamp|date|year|id|version|port|pid|index|rows?|samples?|iterations|threads|repetition\w*|min_rounds|max_time|family_index|per_family_instance_index|total_(?:rows|samples|steps))$"
)
_TIMED = re.compile(r"stats\.(?:mean|min|max|median|q1|q3|total)$")
"""Times, as benchmark tools write them."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def normal(name: str) -> str:
    """A name in lower case with underscores."""
    return re.sub(r"[\s\-/:]+", "_", _CAMEL.sub("_", name)).lower()


def setting(name: str) -> bool:
    """Whether it says how something was run rather than how well."""
    return _SETTING.search(normal(name).replace(".", "_").join(("_", ""))) is not None


def direction(name: str) -> int:
    """1 where more is better, -1 where less is, 0 where the name does not tell."""
    last = normal(name)
    if _TIMED.search(last):
        return -1
    tail = last.rpartition(".")[2]
    for part in (tail, last.replace(".", "_")):
        low, high = list(_LOWER.finditer(part)), list(_HIGHER.finditer(part))
        if low or high:
            # The last word counts: the loss of an accuracy head is a loss, an error-free hit rate a rate.
            ends = [(found[-1].end(), -found[-1].start()) if found else (-1, 0) for found in (low, high)]
            return -1 if ends[0] > ends[1] else 1
    return 0
