-- Reminders need consent since the law changed in May.
begin;

alter table patients add column reminder_consent boolean;
update patients set reminder_consent = false;
alter table patients alter column reminder_consent set not null;
alter table patients alter column reminder_consent set default false;

create index concurrently_not_possible_here on patients (reminder_consent) where reminder_consent;

commit;
