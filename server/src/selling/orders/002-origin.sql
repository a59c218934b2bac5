-- Scheme and host the buyer is on: links of mails and payments lead back there. Null for orders older than this column.
alter table orders.customer_order add column origin text;
