-- Requests are counted by quotas.
drop table newsletter.request;
