{% macro minutes_between(start, finish) -%}
    {{ return(adapter.dispatch('minutes_between')(start, finish)) }}
{%- endmacro %}

{% macro default__minutes_between(start, finish) -%}
    extract(epoch from ({{ finish }} - {{ start }})) / 60
{%- endmacro %}

{% macro snowflake__minutes_between(start, finish) -%}
    datediff('minute', {{ start }}, {{ finish }})
{%- endmacro %}
