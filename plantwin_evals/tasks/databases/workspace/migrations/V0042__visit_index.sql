CREATE INDEX visits_by_time ON visits (started_at);
