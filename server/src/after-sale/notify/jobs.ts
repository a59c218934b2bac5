import { allowByToken, orderToken, readOrder, type CustomerOrder } from '#orders'
import { newId, on, settings, type JobScope } from '#platform'
import { renderMail, type Mail, type MailKind } from './render-mail.ts'
import { mailSettings } from './settings.ts'
import { deliverToMailbox, markMailSent, oweMail, readMail } from './store.ts'

/** A mail is owed for an order, once per kind. The mailbox has it at once; by SMTP sending is work of its own. */
async function owe({ db, emit }: JobScope, customerOrderId: string, kind: MailKind): Promise<void> {
  const order = await readOrder(db, customerOrderId)
  if (!order) return
  const { smtp, sender, linkSecret } = mailSettings()
  const mail = { id: newId(), customerOrderId, kind, recipient: order.email }
  if (smtp) {
    if (!(await oweMail(db, mail))) return
    emit('mail.requested', { mailId: mail.id })
  } else if (!(await deliverToMailbox(db, mail, sender, render(order, kind)))) return
  await allowByToken(db, linkSecret, order.id)
}

function render(order: CustomerOrder, kind: MailKind): Mail {
  return renderMail({ kind, order, origin: originOf(order), token: orderToken(mailSettings().linkSecret, order.id) })
}

/** The host the order was made on, while the settings still have it: its cookies are there. Else the first of its market. */
function originOf({ origin, market, mode }: CustomerOrder): string {
  const hosts = settings().hosts
  const made = origin === null ? null : hosts.siteOf(new URL(origin).host)
  return (made?.market === market && made.mode === mode ? made : hosts.site(market, mode)).origin
}

export const handlers = [
  on('order.paid', 'notify.confirm', { commit: (scope, { customerOrderId }) => owe(scope, customerOrderId, 'confirmation') }),
  on('order.cancelled', 'notify.cancelled', { commit: (scope, { customerOrderId }) => owe(scope, customerOrderId, 'cancelled') }),
  on('payment.failed', 'notify.payment-failed', {
    // A card that is declined at the card fields is told there; only who has left already gets a mail.
    commit: async (scope, { customerOrderId, reason }) => {
      if (reason === 'capture-declined') await owe(scope, customerOrderId, 'payment-failed')
    },
  }),
  on('mail.requested', 'notify.send', {
    // A crash between sending and noting it sends a second copy, under the same Message-ID. The mailbox has no such gap.
    call: async ({ db }, { mailId }) => {
      const { smtp, sender } = mailSettings()
      const mail = await readMail(db, mailId)
      const order = mail?.state === 'queued' ? await readOrder(db, mail.customerOrderId) : undefined
      if (!mail || !order) return
      if (!smtp) throw new Error('A mail waits for SMTP_URL, and it is not set')
      const { subject, text, html } = render(order, mail.kind)
      await smtp.sendMail({
        from: sender,
        to: { name: '', address: mail.recipient },
        subject,
        text,
        html,
        messageId: `<${mail.id}@purlin.example>`,
      })
    },
    commit: ({ db }, { mailId }) => markMailSent(db, mailId),
  }),
]
