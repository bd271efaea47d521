CREATE OR REPLACE FUNCTION find_patient(word text) RETURNS SETOF patients AS $$
BEGIN
    RETURN QUERY EXECUTE 'SELECT * FROM patients WHERE full_name LIKE ''%' || word || '%''';
END;
$$ LANGUAGE plpgsql SECURITY DEFINER;

CREATE OR REPLACE FUNCTION touch() RETURNS trigger AS $$
BEGIN
    NEW.changed_at = now();
    RETURN NEW;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER appointments_touch BEFORE UPDATE ON appointments FOR EACH ROW EXECUTE FUNCTION touch();
GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC;
