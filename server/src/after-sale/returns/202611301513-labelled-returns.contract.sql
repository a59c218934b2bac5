-- Returns with a label are found by `forgotten_at`.
drop index returns.request_labelled;
