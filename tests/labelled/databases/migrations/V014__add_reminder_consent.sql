-- Reminders need consent since the law changed in May.
begin;

alter table patients add column reminder_consent boolean;
update patients set reminder_consent = false;
alter table patients alter column reminder_consent set not null;
alter table patients alter column reminder_consent set default false;

create index patients_by_consent on patients (reminder_consent) where reminder_consent;

commit;
