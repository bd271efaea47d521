SET 'execution.checkpointing.interval' = '30s';
SET 'table.exec.state.ttl' = '2h';

CREATE TABLE readings (
  meter STRING,
  litres DOUBLE,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '20' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'meter.readings.v2',
  'properties.group.id' = 'flow-rollup',
  'scan.startup.mode' = 'group-offsets',
  'format' = 'avro-confluent'
);

CREATE TABLE flow_5m (
  meter STRING,
  window_end TIMESTAMP(3),
  litres DOUBLE,
  n BIGINT,
  PRIMARY KEY (meter, window_end) NOT ENFORCED
) WITH ('connector' = 'upsert-kafka', 'topic' = 'meter.flow5m', 'key.format' = 'raw', 'value.format' = 'json');

INSERT INTO flow_5m
SELECT meter, window_end, SUM(litres), COUNT(*)
FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTES))
WHERE litres BETWEEN 0 AND 5000
GROUP BY meter, window_start, window_end;
