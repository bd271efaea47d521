"""Rows for the database family: definitions, changes, queries and copies."""

# fmt: off
from __future__ import annotations

from plantwin.private.extract.evidence import Row

KINDS = {
    "table_schema": "code_file config",
    "database_migration": "code_file config",
    "sql_query": "code_file",
    "stored_procedure": "code_file",
    "database_dump": "structured_record code_file",
}

_CHANGES = "has=create_table,alter,migration_op,index,insert_rows,foreign_key"

ROWS = (
    # table_schema
    Row("table_schema", "feature", "create_table", 6.0, "no=migration_op,dbt_ref,versioned format=sql"),
    Row("table_schema", "feature", "create_table", 3.0, "no=migration_op has=versioned format=sql"),
    Row("table_schema", "feature", "create_table", 3.0, "notformat=sql no=migration_op,test_function"),
    Row("table_schema", "feature", "create_table", 3.0, "format=javascript"),
    Row("table_schema", "feature", "index", 4.0, "format=javascript no=test_function,http_call"),
    Row("table_schema", "feature", "foreign_key", 1.0, "format=sql"),
    Row("table_schema", "feature", "index", 1.0, "format=sql"),
    Row("table_schema", "stem", "schema ddl tables structure", 2.5, "format=sql,generic,ruby"),
    Row("table_schema", "path", "schema ddl table", 1.5, "format=sql"),
    Row("table_schema", "name", "mappings key_schema attribute_definitions partition_key clustering_key json_schema",
        3.0, "kind=config"),
    Row("table_schema", "name", "number_of analyzer table_name primary_key columns", 1.2, "kind=config"),
    Row("table_schema", "file", "*.prisma *.dbml *.edmx *.cql", 6.0),
    Row("table_schema", "file", "schema.rb structure.sql", 6.0),
    Row("table_schema", "feature", "schema_def", 6.0, "has=create_table format=ruby"),
    # database_migration
    Row("database_migration", "feature", "migration_op", 7.0, "no=test_function,schema_def"),
    Row("database_migration", "feature", "versioned", 6.0, _CHANGES),
    Row("database_migration", "feature", "alter", 5.5, "format=sql"),
    Row("database_migration", "feature", "destructive", 1.0, "format=sql"),
    Row("database_migration", "folder", "migrations migration migrate versions alembic flyway", 6.0, _CHANGES),
    Row("database_migration", "path", "#numbered", 2.6, _CHANGES),
    Row("database_migration", "path", "migration migrate changelog", 2.0, _CHANGES),
    Row("database_migration", "name", "upgrade downgrade revision up down", 1.0, "has=migration_op"),
    # sql_query
    Row("sql_query", "format", "sql", 1.5),
    Row("sql_query", "feature", "select",
        5.0, "format=sql no=create_table,create_routine,migration_op,alter,dbt_ref,dbt_source,sql_load"),
    Row("sql_query", "feature", "sql_report",
        2.0, "format=sql share=sql_load:1 no=create_table,create_routine,migration_op,alter,dbt_ref,dbt_source"),
    Row("sql_query", "feature", "select", 1.0, "format=sql has=create_table,create_routine,alter"),
    Row("sql_query", "feature", "sql_aggregate", 1.0, "format=sql no=create_routine,dbt_ref,dbt_source"),
    Row("sql_query", "feature", "insert_rows", 2.5, "format=sql no=create_table,sql_load"),
    Row("sql_query", "feature", "insert_rows", 2.5, "format=sql has=sql_report no=create_table"),
    Row("sql_query", "feature", "destructive", 2.0, "format=sql no=create_table,alter,sql_load"),
    Row("sql_query", "feature", "destructive", 2.0, "format=sql has=sql_report no=create_table,alter"),
    Row("sql_query", "feature", "select", 6.0, "format=javascript no=create_table,index"),
    Row("sql_query", "feature", "select", 6.0, "format=generic"),
    Row("sql_query", "folder", "queries query reports adhoc analyses",
        1.5, "format=sql has=select no=create_table,create_routine,migration_op,alter,dbt_ref,dbt_source"),
    Row("sql_query", "path", "query report analysis adhoc sql", 1.2, "format=sql"),
    # stored_procedure
    Row("stored_procedure", "feature", "create_routine", 7.0, "format=sql no=migration_op"),
    Row("stored_procedure", "path", "procedure function trigger view proc routine sp fn", 1.8, "format=sql"),
    # database_dump
    Row("database_dump", "feature", "insert_rows", 7.0, "format=sql has=create_table min=3"),
    Row("database_dump", "feature", "insert_rows", 3.0, "format=sql kind=structured_record"),
    Row("database_dump", "path", "dump backup snapshot pgdump mysqldump", 2.5, "format=sql,sqlite"),
    Row("database_dump", "format", "sqlite", 5.0),
)
