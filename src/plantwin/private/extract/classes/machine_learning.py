"""Rows for the machine learning family."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "training_script": "code_file",
    "evaluation_script": "code_file",
    "prediction_script": "code_file",
    "model_serving": "code_file config",
    "model_architecture": "code_file",
    "model_binary": "structured_record",
    "model_config": "config",
    "monitoring_job": "code_file config",
    "experiment_metrics": "structured_record config",
    "notebook": "code_file document",
}

ROWS = (
    # training_script
    Row("training_script", "feature", "train_call", 6.5, "no=test_function,route"),
    Row("training_script", "feature", "train_call", 3.0, "has=route"),
    Row("training_script", "feature", "tune_call", 6.0, "no=test_function"),
    Row("training_script", "import",
        "torch tensorflow keras sklearn xgboost lightgbm catboost transformers mlflow wandb",
        0.8),
    Row("training_script", "import", "optuna ray hyperopt pytorch_lightning lightning accelerate trainer", 1.5),
    Row("training_script", "name",
        "train epoch optimizer loss fit finetune fine_tune train_step hyperparameter learning_rate",
        1.3),
    Row("training_script", "path", "train training finetune tune tuning sweep fit", 2.2),
    # evaluation_script
    Row("evaluation_script", "feature", "evaluate_call", 6.0, "no=test_function,train_call"),
    Row("evaluation_script", "feature", "evaluate_call", 1.5, "has=train_call"),
    Row("evaluation_script", "name", "evaluate evaluation score accuracy precision recall confusion auc f_score roc",
        1.3),
    Row("evaluation_script", "name", "wer cer bleu rouge ndcg perplexity mrr map_score hit_rate benchmark_model", 1.6),
    Row("evaluation_script", "path", "evaluate evaluation eval score scoring",
        2.2, "has=evaluate_call,predict_call,model_load,dataframe_call,file_io,print_call,bare_args,cli_args"),
    Row("evaluation_script", "path", "wer cer bleu rouge ndcg judge", 3.0, "kind=code_file"),
    # prediction_script
    Row("prediction_script", "feature", "predict_call",
        5.0, "no=test_function,train_call,evaluate_call,route,http_server"),
    Row("prediction_script", "feature", "predict_call", 1.5, "has=train_call,evaluate_call"),
    Row("prediction_script", "feature", "model_load",
        2.5, "no=test_function,train_call,evaluate_call,route,http_server"),
    Row("prediction_script", "import", "predict predict_proba infer",
        3.5, "has=model_load no=test_function,train_call,evaluate_call,route,http_server"),
    Row("prediction_script", "name", "predict inference infer batch_predict score_batch", 1.4),
    Row("prediction_script", "path", "predict prediction inference infer batch", 2.2),
    # model_serving
    Row("model_serving", "feature", "predict_call", 7.5, "has=route,http_server no=test_function"),
    Row("model_serving", "feature", "model_load", 4.0, "has=route,http_server no=test_function"),
    Row("model_serving", "import", "predict predict_proba infer generate",
        5.0, "all=model_load,route no=test_function,train_call"),
    Row("model_serving", "import", "bentoml torchserve ts triton seldon kserve mlserver litserve", 3.0),
    Row("model_serving", "feature", "serve_call", 8.0, "no=test_function"),
    Row("model_serving", "name", "model_fn predict_fn input_fn output_fn", 2.5),
    Row("model_serving", "feature", "web_import", 3.0, "has=model_load,predict_call no=test_function"),
    Row("model_serving", "feature", "route", 2.5, "has=model_load,predict_call no=test_function"),
    Row("model_serving", "stem", "serve serving server model_server",
        5.0, "has=predict_call,model_load no=test_function,train_call,evaluate_call"),
    Row("model_serving", "path", "serve serving inference", 1.8),
    # model_architecture
    Row("model_architecture", "feature", "model_layer", 6.5, "no=test_function,train_call"),
    Row("model_architecture", "feature", "model_layer", 2.5, "has=train_call"),
    Row("model_architecture", "name",
        "forward encoder decoder attention layer block embedding backbone head transformer",
        1.1, "has=model_layer"),
    Row("model_architecture", "path", "model network architecture net layer", 1.5, "has=model_layer"),
    # model_binary
    Row("model_binary", "format", "model", 10.0),
    # model_config
    Row("model_config", "feature", "hyperparameter", 6.0, "no=metric_field,pipeline_step"),
    Row("model_config", "feature", "hyperparameter", 3.0, "has=metric_field,pipeline_step"),
    Row("model_config", "name",
        "learning_rate batch_size epoch optimizer dropout hidden_size num_layers warmup n_estimators",
        1.2),
    Row("model_config", "name", "max_depth seed model tokenizer vocab_size weight_decay scheduler", 0.5),
    Row("model_config", "name",
        "eos_token num_beams max_new bos_token pad_token hidden_act num_attention num_hidden model_type lora_alpha",
        1.6),
    Row("model_config", "name", "temperature top_p top_k vocab hidden_dim embed_dim num_heads torch_dtype",
        1.2),
    Row("model_config", "path", "model train training hyperparameter params experiment sweep", 1.5),
    # monitoring_job
    Row("monitoring_job", "feature", "drift_call", 7.0, "no=test_function"),
    Row("monitoring_job", "import", "evidently alibi_detect nannyml whylogs deepchecks", 3.0),
    Row("monitoring_job", "name", "drift psi reference_data baseline kolmogorov", 2.2),
    Row("monitoring_job", "path", "drift", 2.8),
    Row("monitoring_job", "import", "ks_2samp wasserstein_distance population_stability_index psi drift", 2.5),
    Row("monitoring_job", "path", "monitor monitoring", 1.5, "has=drift_call,dataframe_call,predict_call,model_load"),
    # experiment_metrics
    Row("experiment_metrics", "feature", "metric_field", 6.0, "format=json,yaml,toml min=2 no=time_field"),
    Row("experiment_metrics", "feature", "metric_field",
        6.0, "format=json,yaml,toml min=2 has=time_field atmost=row:2"),
    Row("experiment_metrics", "feature", "metric_field", 2.0, "format=json,yaml,toml min=2 has=time_field"),
    Row("experiment_metrics", "feature", "metric_field", 3.0, "format=csv,tsv,jsonl"),
    Row("experiment_metrics", "name", "accuracy precision recall loss auc rmse mae val_loss epoch perplexity bleu",
        1.5),
    Row("experiment_metrics", "name", "f_score roc confusion_matrix train_loss experiment run_id mape", 1.2),
    Row("experiment_metrics", "path", "metric result experiment eval score run", 1.6),
    # notebook
    Row("notebook", "format", "notebook", 10.0),
    Row("notebook", "path", "notebook", 1.0, "format=notebook"),
)
