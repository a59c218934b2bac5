-- Mails of orders are kept by the mail module, with their keys; queued ones follow when their event is handled.
insert into mail.mail (id, key, template, recipient, sender, subject, body_text, body_html, state, created_at, sent_at)
  select m.id, 'order:' || m.customer_order_id || ':' || m.kind, 'order-' || m.kind, m.recipient, coalesce(b.sender, ''),
    coalesce(b.subject, ''), b.body_text, b.body_html, 'sent', m.created_at, coalesce(m.sent_at, m.created_at)
  from notify.mail m left join notify.mailbox b on b.id = m.id where m.state = 'sent'
  on conflict do nothing;
