import type { MailTemplate } from '#mail'
import { mailTemplate } from '#mail'
import { exampleOrder } from './example-order.ts'
import { orderLinkMail } from './order-link-mail.ts'
import { mailKinds, orderMail, type MailKind, type OrderMail } from './order-mail.ts'

const template = (kind: MailKind): MailTemplate<OrderMail> =>
  mailTemplate<OrderMail>(`order-${kind}`, {
    content: (payload, site) => orderMail(kind, payload, site),
    example: exampleOrder,
  })

export const orderMails: Record<MailKind, MailTemplate<OrderMail>> = {
  confirmation: template('confirmation'),
  'payment-failed': template('payment-failed'),
  cancelled: template('cancelled'),
}

/** Previewed at /dev/mails. */
export const mails = [...mailKinds.map((kind) => orderMails[kind]), orderLinkMail]
