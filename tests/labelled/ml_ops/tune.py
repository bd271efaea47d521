import optuna
from optuna.pruners import MedianPruner
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score

from churn.features import FEATURES, TARGET, load

frame = load("data/accounts.parquet")


def objective(trial: optuna.Trial) -> float:
    model = HistGradientBoostingClassifier(
        learning_rate=trial.suggest_float("learning_rate", 0.01, 0.3, log=True),
        max_leaf_nodes=trial.suggest_int("max_leaf_nodes", 15, 127),
        min_samples_leaf=trial.suggest_int("min_samples_leaf", 5, 200),
        l2_regularization=trial.suggest_float("l2_regularization", 1e-8, 10.0, log=True),
    )
    return cross_val_score(model, frame[FEATURES], frame[TARGET], cv=5, scoring="roc_auc").mean()


if __name__ == "__main__":
    study = optuna.create_study(direction="maximize", pruner=MedianPruner(), storage="sqlite:///optuna.db", study_name="churn", load_if_exists=True)
    study.optimize(objective, n_trials=200, timeout=3600)
    print(study.best_value, study.best_params)
