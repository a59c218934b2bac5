create index concurrently request_rated on returns.request (seller_id, market, number desc) where rating is not null;
