-- Invitation mails of the last day, which limit how many more are sent. The recipient is a SHA-256.
create table companies.invitation_mail (
  company_id uuid not null,
  recipient text not null,
  sent_at timestamptz not null default now()
);
create index invitation_mail_company on companies.invitation_mail (company_id, sent_at);
create index invitation_mail_recipient on companies.invitation_mail (recipient, sent_at);
create index invitation_mail_sent on companies.invitation_mail (sent_at);
