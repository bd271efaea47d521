create table practitioners (
    practitioner_id integer generated always as identity primary key,
    display_name    text not null,
    specialty       text not null check (specialty in ('gp', 'physio', 'dental')),
    active          boolean not null default true
);

create table patients (
    patient_id   bigint generated always as identity primary key,
    national_id  char(11) not null unique,
    full_name    text not null,
    born_on      date not null,
    phone        text
);

create table visits (
    visit_id        bigint generated always as identity primary key,
    patient_id      bigint not null references patients on delete restrict,
    practitioner_id integer not null references practitioners,
    starts_at       timestamptz not null,
    minutes         smallint not null check (minutes between 5 and 240),
    notes           text,
    constraint no_double_booking exclude using gist (
        practitioner_id with =,
        tstzrange(starts_at, starts_at + make_interval(mins => minutes)) with &&
    )
);

create index visits_by_day on visits (starts_at, practitioner_id);
