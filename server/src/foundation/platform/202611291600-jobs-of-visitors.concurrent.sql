-- A withdrawal of consent removes what waits for its visitor.
create index concurrently job_visitor on platform.job ((payload ->> 'visitorId')) where payload ->> 'visitorId' is not null;
