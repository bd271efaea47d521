"""01:30: fetch, parse, deduplicate, load, transform."""

from datetime import datetime, timedelta

from airflow import DAG
from airflow.operators.bash import BashOperator
from airflow.operators.python import PythonOperator

from ingest import dedupe, load, parse_meters, sftp_pull

default_args = {"owner": "data-platform", "retries": 2, "retry_delay": timedelta(minutes=10), "email": ["dataops@ovenbird.example"]}

with DAG("readings_daily", schedule="30 1 * * *", start_date=datetime(2023, 5, 1), catchup=False, default_args=default_args) as dag:
    pull = PythonOperator(task_id="pull", python_callable=sftp_pull.pull)
    parse = PythonOperator(task_id="parse", python_callable=parse_meters.run)
    unique = PythonOperator(task_id="dedupe", python_callable=dedupe.run)
    store = PythonOperator(task_id="load", python_callable=load.run)
    models = BashOperator(task_id="dbt", bash_command="dbt build --select stg_readings+ --target production")
    pull >> parse >> unique >> store >> models
