create index concurrently subscription_customer on push.subscription (customer_id) where customer_id is not null;
create index concurrently subscription_visitor on push.subscription (visitor_id) where visitor_id is not null;
