import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailSite } from '#mail'
import type { DisputeAction, DisputeActor } from './dispute.ts'
import { stepText } from './step-text.ts'

export interface DisputeMail {
  number: string
  orderId: string
  sellerName: string
  actor: DisputeActor
  action: DisputeAction
  note: string
  amount: string | null
  dueAt: Date | null
  /** Opens the dispute for the buyer, without signing in; null for the others. */
  url: string | null
}

/** A step of a dispute, for its parties. */
export const disputeMail = mailTemplate<DisputeMail>('dispute-step', {
  content: ({ number, orderId, sellerName, action, actor, note, amount, dueAt, url }, { market }) => {
    const t = wordsFor(market)
    const said = stepText(market, { action, actor }, sellerName)
    return {
      subject: t('dispute-mail.subject', { number, id: orderId }),
      preview: said,
      blocks: [
        { kind: 'text', text: said },
        ...(amount ? [{ kind: 'text' as const, text: t('dispute.amount', { amount }) }] : []),
        ...(note ? [{ kind: 'quiet' as const, lines: note.split('\n') }] : []),
        ...(dueAt ? [{ kind: 'text' as const, text: t('dispute-mail.due', { at: dueAt }) }] : []),
        ...(url ? [{ kind: 'button' as const, label: t('dispute-mail.open'), url }] : []),
        { kind: 'quiet', lines: [t('mail.regards')] },
      ],
    }
  },
  example: ({ origin }: MailSite) => ({
    number: '20001',
    orderId: 'EXAMPLE-1234-7',
    sellerName: 'Nordwerk',
    actor: 'seller',
    action: 'offer',
    note: 'We can refund a third of the price.',
    amount: '43.00',
    dueAt: new Date('2026-11-27T09:30:00Z'),
    url: `${origin}/online-support/EXAMPLE-1234-7/dispute/example`,
  }),
})

/** Previewed at /dev/mails. */
export const mails = [disputeMail]
