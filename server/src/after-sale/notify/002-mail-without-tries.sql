-- A mail that is to be sent is the worker's work, which keeps its own tries and pauses.
alter table notify.mail drop column attempts, drop column next_at, drop column last_error;
alter table notify.mail drop constraint mail_state_check, add constraint mail_state_check check (state in ('queued', 'sent'));
