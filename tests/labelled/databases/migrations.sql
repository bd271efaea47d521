create or replace function book_visit(p_patient bigint, p_practitioner int, p_start timestamptz, p_minutes int)
returns bigint
language plpgsql
as $$
declare
    v_id bigint;
begin
    if p_start < now() then
        raise exception 'visit in the past' using errcode = 'P0101';
    end if;

    perform pg_advisory_xact_lock(p_practitioner);

    insert into visits (patient_id, practitioner_id, starts_at, minutes)
    values (p_patient, p_practitioner, p_start, p_minutes)
    returning visit_id into v_id;

    insert into reminders (visit_id, send_at) values (v_id, p_start - interval '1 day');
    return v_id;
exception
    when exclusion_violation then
        raise exception 'already booked' using errcode = 'P0102';
end;
$$;
