import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'

export interface QuoteMail {
  id: string
  number: string
  state: 'answered' | 'refused' | 'expired'
  sellerName: string
  validUntil: Date | null
  note: string
}

/** The outcome of a request for a quote, for the person who sent it. */
export const quoteMail = mailTemplate<QuoteMail>('quote', {
  content: ({ id, number, state, sellerName, validUntil, note }, { market, origin }) => {
    const t = wordsFor(market)
    const text = t(`quote.mail.${state}`, { number, seller: sellerName })
    return {
      subject: text,
      preview: text,
      blocks: [
        { kind: 'text', text },
        ...(state === 'answered' && validUntil
          ? [{ kind: 'text' as const, text: t('quote.valid-until', { at: new Date(validUntil) }) }]
          : []),
        ...(note ? [{ kind: 'quiet' as const, lines: note.split('\n') }] : []),
        { kind: 'button', label: t('quote.mail.open'), url: `${origin}/my-account/quotes/${id}` },
        { kind: 'quiet', lines: [t('mail.regards')] },
      ],
    }
  },
  example: () => ({
    id: '0199c0de-0000-7000-8000-0000000000a1',
    number: 'Q10001',
    state: 'answered',
    sellerName: 'Nordwerk',
    validUntil: new Date('2026-12-24T12:00:00Z'),
    note: 'Delivered in two parts, if you like.',
  }),
})

/** Previewed at /dev/mails. */
export const mails = [quoteMail]
