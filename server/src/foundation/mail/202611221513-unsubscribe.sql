-- Where a mail that was asked for can be ended in one click (RFC 8058); null for mails about an order or an account.
alter table mail.mail add column unsubscribe_url text;
