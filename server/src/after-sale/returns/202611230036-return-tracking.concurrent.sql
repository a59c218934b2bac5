create unique index concurrently request_tracking on returns.request (tracking_number) where tracking_number is not null;
