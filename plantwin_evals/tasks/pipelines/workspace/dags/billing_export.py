"""04:00: hand the day's invoices to the bank."""

from datetime import datetime

from airflow import DAG
from airflow.operators.python import PythonOperator

from ingest import export_invoices

with DAG("billing_export", schedule="0 4 * * *", start_date=datetime(2023, 5, 1), catchup=False) as dag:
    PythonOperator(task_id="export", python_callable=export_invoices.run)
