import { markets } from '@purlin/contract/markets.ts'
import { mailTemplate, type MailSite } from '#mail'
import { settings } from '#platform'
import type { NewMessage } from './store.ts'
import { contactWords } from './words.ts'

export type SaidMessage = Omit<NewMessage, 'sessionId' | 'senderHash'> & { at: Date }

/**
 * Says that a message has arrived. Of what was typed it repeats the declaration of a withdrawal, as the law wants it, and
 * nothing else: a form must not carry strangers' words to strangers.
 */
export const acknowledgementMail = mailTemplate<SaidMessage>('message-received', {
  content: ({ kind, name, orderId, body, reference, at }, { market }) => {
    const { language, locale, timeZone } = markets[market]
    const words = contactWords[language]
    const values = {
      reference: String(reference),
      at: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at),
    }
    const isWithdrawal = kind === 'withdrawal'
    const said = words[isWithdrawal ? 'withdrawal' : 'message']
    const declared = [
      `${words.name}: ${name}`,
      `${words.order}: ${orderId ?? ''}`,
      ...(body ? [`${words.goods}: ${withoutLinks(body)}`] : []),
    ]
    const { name: operator, address, email, phone } = settings().operator
    return {
      subject: fill(said.subject, values),
      preview: fill(said.subject, values),
      blocks: [
        { kind: 'text', text: fill(said.text, values) },
        ...(isWithdrawal ? [{ kind: 'quiet' as const, lines: declared }] : []),
        { kind: 'quiet', lines: [words.regards, operator, ...address, email, phone] },
      ],
    }
  },
  example,
})

/** The message itself, for the operator. */
export const noticeMail = mailTemplate<SaidMessage>('message-notice', {
  content: ({ kind, market, mode, reference, name, email, orderId, body }) => ({
    subject: `[${market} ${mode}] ${kind} ${reference}`,
    preview: name,
    blocks: [
      { kind: 'quiet', lines: [`${name}, ${email}`, ...(orderId ? [orderId] : [])] },
      { kind: 'text', text: body || '-' },
    ],
  }),
  example,
})

/** Shown at /dev/mails. */
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

/** Addresses in what was typed are not to be clicked. */
function withoutLinks(text: string): string {
  return text.replace(/\b(?:https?:\/\/|www\.)\S*/gi, '[…]').slice(0, 500)
}

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
