CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger AS $body$
BEGIN
    NEW.updated_at := clock_timestamp();
    RETURN NEW;
END;
$body$ LANGUAGE plpgsql;

CREATE TRIGGER visits_touch
    BEFORE UPDATE ON visits
    FOR EACH ROW
    WHEN (OLD.* IS DISTINCT FROM NEW.*)
    EXECUTE FUNCTION touch_updated_at();

CREATE OR REPLACE VIEW todays_visits AS
SELECT v.visit_id, v.starts_at, v.minutes, p.display_name
FROM visits v
JOIN practitioners p USING (practitioner_id)
WHERE v.starts_at::date = current_date;
