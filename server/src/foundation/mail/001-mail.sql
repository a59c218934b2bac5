create schema mail;

-- A mail as it was made: once per key. Without SMTP it stays here, and this table is the embedded mailbox.
create table mail.mail (
  id uuid primary key,
  -- says what the mail is about: "order:P123:confirmation"
  key text not null unique,
  template text not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  -- null when they have been cleared some time after sending
  body_text text,
  body_html text,
  state text not null check (state in ('queued', 'sent')),
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index mail_created on mail.mail (created_at desc);
create index mail_recipient on mail.mail (recipient, created_at desc);
create index mail_to_clear on mail.mail (sent_at) where body_text is not null and state = 'sent';
