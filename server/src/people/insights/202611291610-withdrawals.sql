-- Withdrawals of visitors whose events may be in bursts that wait: those events are dropped, or lose a purpose, as they move.
-- A row goes once no burst waits that is as old as the withdrawal.
create table insights.withdrawal (
  visitor_id uuid not null,
  purpose text not null,
  at timestamptz not null default now(),
  primary key (visitor_id, purpose)
);
create index withdrawal_at on insights.withdrawal (at);
