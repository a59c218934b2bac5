-- Requests are counted by quotas; the rows of the first releases, with hashes of addresses, were deleted by nobody.
drop table newsletter.request;
