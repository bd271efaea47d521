"""Rows for the data pipeline family: code and settings that move and transform data."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "data_ingestion": "code_file config",
    "data_preparation": "code_file",
    "staging_transform": "code_file",
    "intermediate_transform": "code_file",
    "mart_transform": "code_file",
    "data_source_spec": "config",
    "data_quality_check": "code_file config",
    "pipeline_definition": "code_file config",
}

_ALONE = "no=test_function,train_call,dag,evaluate_call,drift_call,data_check,extract_call,model_load"
_FRAMES = "pandas,polars,pyspark,dask,dplyr,tidyr,spark,beam,modin,vaex,cudf,ibis,duckdb,snowpark,readr,datatable,pd"
_TABLES, _NO_TABLES = f"uses={_FRAMES}", f"unused={_FRAMES}"
_LANDING = (
    "write_parquet,write_csv,sink_parquet,to_csv,extractall,copyfileobj,insert_rows_json,load_table_from_file,"
    "put_object,upload_fileobj,upload_file,copy_expert,to_sql,to_parquet,write_table,copy_from,execute_values"
)
_FLOW = "airflow,prefect,dagster,luigi,kedro,kfp,metaflow,flytekit,flyte,mage_ai,argo,hera,snakemake,zenml,dag"
_FLOWS, _NO_FLOWS = f"uses={_FLOW}", f"unused={_FLOW}"

ROWS = (
    # data_ingestion
    Row("data_ingestion", "feature", "extract_call", 5.5, "no=test_function,dag,train_call"),
    Row("data_ingestion", "feature", "extract_call", 1.0, "has=dag,train_call"),
    Row("data_ingestion", "import", "scrapy beautifulsoup bs4 singer boto3 airbyte dlt meltano ftplib paramiko sqoop",
        1.2),
    Row("data_ingestion", "name", "ingest ingestion extract download crawl scrape backfill landing loader importer",
        1.4),
    Row("data_ingestion", "name", "load fetch pull raw sync copy_into source", 0.6),
    Row("data_ingestion", "path", "ingest ingestion extract extractor loader crawler scraper importer landing", 2.2),
    Row("data_ingestion", "path", "fetch load raw source sync etl download", 1.2),
    Row("data_ingestion", "feature", "http_call", 4.0, f"no=test_function,route uses={_LANDING}"),
    Row("data_ingestion", "feature", "http_call", 1.5, "format=shell no=build_step"),
    Row("data_ingestion", "folder", "ingest ingestion extract extractors loaders crawlers scrapers landing",
        4.0, "has=http_call,extract_call,db_call,queue_call,dataframe_call"),
    Row("data_ingestion", "name", "connector_class tasks_max topic_prefix snapshot_mode source_definition sync_mode",
        2.5, "kind=config"),
    Row("data_ingestion", "name", "connector replication_method stream tap destination", 0.8, "kind=config"),
    Row("data_ingestion", "import", "load_workbook executemany copy_expert iter_rows", 2.5),
    Row("data_ingestion", "import", _LANDING.replace(",", " "), 1.0),
    # data_preparation
    Row("data_preparation", "feature", "dataframe_call", 5.0, f"{_TABLES} {_ALONE}"),
    Row("data_preparation", "feature", "dataframe_call", 1.0, f"{_NO_TABLES} {_ALONE}"),
    Row("data_preparation", "feature", "dataframe_call",
        2.0, "has=train_call,dag,evaluate_call,drift_call,data_check,extract_call no=test_function"),
    Row("data_preparation", "feature", "sql_load",
        7.0, "format=sql share=sql_report:1 no=alter,create_routine,migration_op,dbt_ref"),
    Row("data_preparation", "import", "dataframes csv tidyverse readr arrow", 1.0, "has=dataframe_call"),
    Row("data_preparation", "import", "pandas polars pyspark dask dplyr tidyr spark beam",
        1.5, "no=train_call,drift_call,data_check"),
    Row("data_preparation", "file", "*.xsl *.xslt *.dwl", 4.0),
    Row("data_preparation", "name", "clean preprocess prepare dedupe deduplicate impute join normalize featurize", 1.3),
    Row("data_preparation", "name", "transform merge reshape pivot fill drop feature enrich tidy", 0.8),
    Row("data_preparation", "path", "clean prepare preprocess preprocessing preparation feature transform wrangle etl",
        2.0),
    # dbt layers
    Row("staging_transform", "feature", "dbt_source", 7.0, "format=sql"),
    Row("staging_transform", "path", "stg staging", 3.0, "format=sql"),
    Row("staging_transform", "folder", "staging", 5.0, "format=sql has=select no=create_table"),
    Row("intermediate_transform", "feature", "dbt_ref", 4.5, "format=sql no=dbt_source"),
    Row("intermediate_transform", "path", "int intermediate", 3.0, "format=sql"),
    Row("intermediate_transform", "folder", "intermediate", 5.0, "format=sql has=select"),
    Row("mart_transform", "feature", "dbt_ref", 4.4, "format=sql no=dbt_source"),
    Row("mart_transform", "feature", "sql_aggregate", 1.5, "format=sql has=dbt_ref no=dbt_source"),
    Row("mart_transform", "path", "mart fct dim fact dimension report agg rpt", 3.0, "format=sql"),
    Row("mart_transform", "folder", "marts mart reporting gold", 5.0, "format=sql has=select"),
    # data_source_spec
    Row("data_source_spec", "feature", "dbt_source", 6.0, "kind=config"),
    Row("data_source_spec", "feature", "column", 4.5, "format=yaml"),
    Row("data_source_spec", "stem", "sources schema _sources _models catalog", 2.0, "format=yaml"),
    Row("data_source_spec", "path", "source catalog schema", 1.2, "format=yaml,toml,json"),
    # data_quality_check
    Row("data_quality_check", "feature", "data_check", 6.0, "no=test_function,dbt_source"),
    Row("data_quality_check", "feature", "data_check", 2.5, "has=dbt_source"),
    Row("data_quality_check", "import", "great_expectations pandera soda deequ pydeequ", 3.0),
    Row("data_quality_check", "name", "checks_for row_count duplicate_count missing_percent invalid_count",
        4.0, "kind=config"),
    Row("data_quality_check", "name", "expect_column expectation null_rate freshness row_count check_not assert_unique",
        1.3),
    Row("data_quality_check", "name", "validate quality completeness anomaly", 0.8),
    Row("data_quality_check", "path", "quality expectation validation check soda", 1.8),
    Row("data_quality_check", "folder", "expectations checks", 3.0),
    Row("data_quality_check", "folder", "tests test", 6.0, "format=sql has=dbt_ref,dbt_source"),
    # pipeline_definition
    Row("pipeline_definition", "feature", "dag", 7.0, f"no=test_function {_FLOWS}"),
    Row("pipeline_definition", "feature", "dag", 1.5, f"no=test_function {_NO_FLOWS}"),
    Row("pipeline_definition", "feature", "pipeline_step", 6.0, "no=ci_job,locked"),
    Row("pipeline_definition", "import", "airflow prefect dagster luigi kedro mage kfp metaflow flyte argo", 2.5),
    Row("pipeline_definition", "name", "step stage after depends_on upstream schedule retries operator run",
        1.4, "kind=config"),
    Row("pipeline_definition", "name", "dag pipeline flow task operator upstream",
        0.8, "has=dag,pipeline_step,schedule,dataframe_call"),
    Row("pipeline_definition", "file", "dbt_project.yml dvc.yaml snakefile kedro.yml meltano.yml prefect.yaml", 6.0),
    Row("pipeline_definition", "path", "dag pipeline flow orchestration workflow", 1.8, "kind=config"),
    Row("pipeline_definition", "path", "dag pipeline flow orchestration workflow",
        1.8, "kind=code_file has=dag,pipeline_step,dataframe_call,extract_call,sql_load,command"),
)
