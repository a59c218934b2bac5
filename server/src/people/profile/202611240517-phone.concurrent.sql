-- The customers whom a reply to a text message comes from.
create index concurrently consent_phone on profile.consent (replace(phone, ' ', '')) where channel = 'sms';
