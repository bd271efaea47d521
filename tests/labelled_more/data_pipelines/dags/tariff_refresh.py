import pendulum
from airflow.decorators import dag, task, task_group
from airflow.providers.common.sql.operators.sql import SQLExecuteQueryOperator
from airflow.sensors.filesystem import FileSensor


@dag(schedule="0 4 1 * *", start_date=pendulum.datetime(2025, 1, 1, tz="UTC"), catchup=True, max_active_runs=1, tags=["billing"])
def tariff_refresh():
    arrived = FileSensor(task_id="arrived", filepath="tariff_{{ ds_nodash }}.csv", fs_conn_id="landing", mode="reschedule")

    @task(retries=3)
    def read(ds_nodash=None):
        from waterworks import tariffs

        return tariffs.parse(f"tariff_{ds_nodash}.csv")

    @task_group
    def publish(rows):
        @task
        def split(rows):
            return [r for r in rows if r["zone"] != "X"]

        swap = SQLExecuteQueryOperator(task_id="swap", conn_id="dwh", sql="sql/swap_tariff.sql")
        split(rows) >> swap

    arrived >> publish(read())


tariff_refresh()
