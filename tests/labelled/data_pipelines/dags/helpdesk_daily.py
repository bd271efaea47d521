from datetime import datetime, timedelta

from airflow import DAG
from airflow.operators.bash import BashOperator
from airflow.operators.python import PythonOperator
from airflow.providers.slack.notifications.slack import send_slack_notification

from ingest.helpdesk import load_tickets

default_args = {
    "owner": "data-platform",
    "retries": 2,
    "retry_delay": timedelta(minutes=10),
    "on_failure_callback": send_slack_notification(channel="#data-alerts", text="{{ ti.task_id }} failed"),
}

with DAG(
    dag_id="helpdesk_daily",
    schedule="30 3 * * *",
    start_date=datetime(2024, 1, 1),
    catchup=False,
    default_args=default_args,
) as dag:
    extract = PythonOperator(task_id="extract", python_callable=load_tickets)
    seed = BashOperator(task_id="seed", bash_command="dbt seed --project-dir /opt/dbt")
    build = BashOperator(task_id="build", bash_command="dbt build --project-dir /opt/dbt --exclude tag:board_report")
    report = BashOperator(task_id="report", bash_command="dbt run --project-dir /opt/dbt --select tag:board_report")

    [extract, seed] >> build >> report
