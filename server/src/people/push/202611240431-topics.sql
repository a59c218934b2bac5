-- What a browser gets messages about, and for whom: its customer is known while the sign-in of the subscription lasts.
alter table push.subscription add column topics text[] not null default '{offers}';
alter table push.subscription add column customer_id uuid;
alter table push.subscription add column sign_in_id uuid;
-- Withdrawing consent ends the visitor's subscriptions, whether or not the browser can still be reached.
alter table push.subscription add column visitor_id uuid;
