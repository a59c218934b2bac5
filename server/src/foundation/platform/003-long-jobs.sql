-- Long jobs: priority, progress, checkpoint, cancel. Rows of finished long jobs stay for a while, for whoever watches them.
alter table platform.job
  -- higher first
  add column priority smallint not null default 0,
  -- counts the claims: whoever holds an older number has lost the job
  add column fence bigint not null default 0,
  add column progress_done bigint,
  add column progress_total bigint,
  add column checkpoint jsonb,
  add column cancel_requested_at timestamptz,
  add column finished_at timestamptz,
  add column outcome text check (outcome in ('done', 'cancelled')),
  add column created_at timestamptz not null default now();
create index job_next on platform.job (priority desc, run_at) where parked_at is null and finished_at is null;
drop index platform.job_due;
create index job_dead on platform.job (parked_at desc) where parked_at is not null;
create index job_finished on platform.job (finished_at) where finished_at is not null;
