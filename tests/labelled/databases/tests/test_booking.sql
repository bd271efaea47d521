begin;
select plan(4);

select has_table('visits');
select col_is_fk('visits', 'patient_id');

select throws_ok(
    $$ select book_visit(1, 1, now() - interval '1 day', 20) $$,
    'P0101', 'visit in the past'
);

select lives_ok(
    $$ select book_visit(1, 1, now() + interval '1 day', 20) $$,
    'a visit tomorrow can be booked'
);

select * from finish();
rollback;
