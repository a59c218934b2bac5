import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, withoutLinks, type MailSite } from '#mail'
import { settings } from '#platform'
import type { NewMessage } from './store.ts'

export type SaidMessage = Omit<NewMessage, 'sessionId' | 'owner'> & { at: Date }

/**
 * Acknowledges a message. It repeats the declaration of a withdrawal, as the law requires, if the address is the order's or
 * the account's, and nothing else the sender typed: a form must not deliver one stranger's text to another.
 */
export const acknowledgementMail = mailTemplate<SaidMessage & { isMatched: boolean }>('message-received', {
  content: ({ kind, name, orderId, body, reference, at, isMatched }, { market }) => {
    const t = wordsFor(market)
    const isWithdrawal = kind === 'withdrawal'
    const values = { reference: String(reference), at }
    const subject = t(isWithdrawal ? 'mail.withdrawal.subject' : 'mail.message.subject', values)
    const withdrawal = isMatched ? 'mail.withdrawal.text' : 'mail.withdrawal.unmatched'
    const declared = [
      t('mail.withdrawal.name', { name: withoutLinks(name) }),
      t('mail.withdrawal.order', { id: orderId ?? '' }),
      ...(body ? [t('mail.withdrawal.goods', { goods: unclickable(body) })] : []),
    ]
    const { name: operator, address, email, phone } = settings().operator
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t(isWithdrawal ? withdrawal : 'mail.message.text', values) },
        ...(isWithdrawal && isMatched ? [{ kind: 'quiet' as const, lines: declared }] : []),
        { kind: 'quiet', lines: [t('mail.regards'), operator, ...address, email, phone] },
      ],
    }
  },
  example: (site) => ({ ...example(site), isMatched: true }),
})

/** The message itself, for the operator, with links that open its files. */
export const noticeMail = mailTemplate<SaidMessage & { files: { name: string; url: string }[] }>('message-notice', {
  content: ({ kind, market, mode, reference, name, email, orderId, body, files }) => ({
    subject: `[${market} ${mode}] ${kind} ${reference}`,
    preview: name,
    blocks: [
      { kind: 'quiet', lines: [`${name}, ${email}`, ...(orderId ? [orderId] : [])] },
      { kind: 'text', text: body || '-' },
      ...files.map(({ name: label, url }) => ({ kind: 'button' as const, label, url })),
    ],
  }),
  example: (site) => ({ ...example(site), files: [{ name: 'saw.jpg', url: `${site.origin}/uploads/example` }] }),
})

/** Previewed at /dev/mails. */
export const mails = [acknowledgementMail, noticeMail]

function example({ market, mode }: MailSite): SaidMessage {
  return {
    id: '0',
    reference: 10_001,
    kind: 'withdrawal',
    market,
    mode,
    name: 'Ada Beam',
    email: 'ada@buyer.example',
    orderId: 'EXAMPLE-1234',
    body: 'Cordless drill 18 V',
    at: new Date('2026-11-22T09:30:00Z'),
  }
}

/** Makes addresses in the typed text unclickable. */
function unclickable(text: string): string {
  return withoutLinks(text.replace(/(?:https?:\/\/|www\.)\S*/gi, '[…]').slice(0, 500))
}
