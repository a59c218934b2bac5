-- Claims read the jobs of one name after another, so that the backlog of one costs the others nothing. It replaces job_next.
create index concurrently job_due_by_name on platform.job (name, priority desc, run_at) where parked_at is null and finished_at is null;
