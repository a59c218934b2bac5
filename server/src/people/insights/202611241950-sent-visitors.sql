-- Visitors about whom events were sent to another service, so that a withdrawal can follow them.
create table insights.sent_visitor (
  service text not null,
  visitor_id uuid not null,
  at timestamptz not null default now(),
  primary key (service, visitor_id)
);
create index sent_visitor_visitor on insights.sent_visitor (visitor_id);
create index sent_visitor_at on insights.sent_visitor (at);
