"""What the last part of a called name tells behind any receiver, and where only an import makes it tell something.

`METHODS` match behind any receiver; `GROUPED` only where an imported package switched the group on.
"""

from __future__ import annotations

from plantwin.private.extract.languages.meanings.words import words

# the last part of a dotted call, whatever stands before it
_METHODS: dict[str, str] = {
    "db_call": "executemany fetchall fetchone executeQuery executeUpdate find_by findOne findMany findById "
    "find_or_create_by fetch_optional fetch_all fetch_one findFirst "
    "findUnique upsert selectFrom insertInto deleteFrom updateMany find_each update_all "
    "insertOne updateOne deleteOne insertMany insert_one insert_many find_one update_one delete_one "
    "createQueryBuilder getRepository where! bulk_create filter_by get_or_create select_related prefetch_related",
    "migration_op": "createTable dropTable addColumn dropColumn",
    "http_call": "getForObject postForEntity getForEntity exchange PostAsync GetAsync SendAsync PostAsJsonAsync",
    "queue_call": "perform_async perform_later apply_async basic_publish basic_consume sendToQueue",
    "mail_call": "sendmail send_message deliver_now deliver_later sendMail",
    "auth_call": "check_password set_password verify_password hashpw checkpw is_authenticated authenticate",
    "scheduled": "scheduleWithFixedDelay scheduleAtFixedRate scheduleAtFixedDelay scheduleJob add_periodic_task "
    "registerScheduledJob addRecurringJob add_cron_job AddCronJob schedulePeriodic setRepeating",
    "train_call": "backward zero_grad partial_fit",
    "model_load": "load_state_dict from_pretrained load_weights",
    "evaluate_call": "evaluate_model",
    "predict_call": "predict_proba predict_step",
    "env_read": "getenv",
    "file_io": "read_text write_text read_bytes write_bytes",
    "assertion": "assertEqual assertTrue assertFalse assertIn assertIsNone assertIsNotNone assertRaises assertNotEqual "
    "assertIs assertGreater assertLess assertAlmostEqual assertRaisesRegex assertIsInstance assertEquals "
    "assertSame assertNotIn assertListEqual assertDictEqual assertCountEqual assertLogs assertStatus toBe "
    "toEqual toHaveBeenCalled toHaveBeenCalledWith toThrow toBeInTheDocument toStrictEqual toContain "
    "assert_called_once assert_called_with assert_called_once_with isEqualTo ShouldBe",
    "report_call": "savefig to_excel to_latex",
    "date_logic": """
        strftime strptime isoformat toISOString plusDays minusDays AddDays AddMonths total_seconds fromisoformat""",
    "concurrency": "acquire run_in_executor create_task",
}
METHODS: dict[str, str] = {name: feature for feature, names in _METHODS.items() for name in names.split()}

_web = "get post put delete patch options head all any GET POST PUT DELETE PATCH websocket"
# method -> {group: feature}: counts only where a package of the group is imported
_GROUPED: dict[tuple[str, str], str] = {
    ("ml", "train_call"): "fit train train_step training_step fit_generator",
    ("ml", "predict_call"): "predict transform_predict inference generate predict_on_batch infer",
    ("ml", "evaluate_call"): "evaluate score validate validation_step",
    ("data", "dataframe_call"): "merge groupby pivot_table dropna fillna drop_duplicates astype join agg apply rename "
    "withColumn groupBy filter select to_csv to_parquet to_sql melt sort_values reset_index assign value_counts pivot "
    "with_columns group_by iterrows query mutate",
    (
        "db",
        "db_call",
    ): "execute query fetch fetchrow fetchval commit rollback connect find insert update aggregate cursor "
    "QueryRow Query Exec Queryx Select Get NamedExec scan",
    (
        "orm",
        "db_call",
    ): "filter save query find create update destroy where First Find Create Save Where commit add all findAll "
    "findByPk bulkCreate order_by objects.get objects.filter persist flush ToListAsync Include FirstOrDefaultAsync",
    ("web", "route"): "route add_url_rule grouped nest",
    ("http", "http_call"): "get post put delete patch request send execute newCall",
    ("mail", "mail_call"): "send sendmail create",
    ("queue", "queue_call"): "publish subscribe send consume produce poll delay",
    ("job", "queue_call"): "delay enqueue",
    ("job", "scheduled"): "task every add_job",
    ("auth", "auth_call"): "verify encode decode sign hash compare authenticate login logout",
    ("payment", "payment_call"): "create refund charge capture confirm retrieve sale",
    ("crypto", "crypto_call"): "encrypt decrypt digest hexdigest update sign verify",
    ("check", "data_check"): "validate expect check",
    ("dag", "dag"): "expand partial override deploy serve",
    ("report", "report_call"): "save write_pdf build output",
}
GROUPED: dict[str, dict[str, str]] = {}
for (_group, _feature), _names in _GROUPED.items():
    for _name in _names.split():
        GROUPED.setdefault(_name, {}).setdefault(_group, _feature)

ROUTERS = frozenset(
    words(
        "app router api server r e g mux fastify route routes blueprint bp v1 v2 group rg srv "
        "http Router Route web hono"
    )
)
"""Receivers on which an HTTP verb registers a route."""
VERBS = frozenset(_web.split())
LOGGERS = frozenset(words("log logger logging _log _logger LOG LOGGER Logger Log slog zap sugar rootLogger"))
"""Receivers on which a level writes a log record."""
LEVELS = frozenset(
    words(
        "debug info warning warn error exception critical fatal trace log notice Debug Info "
        "Warn Warning Error Fatal Debugf "
        "Infof Warnf Errorf Fatalf Infow Errorw Debugw Printf Println LogInformation LogError LogWarning LogDebug "
        "LogCritical"
    )
)
