import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'

export interface InvoiceMail {
  kind: 'sale' | 'credit-note'
  number: string
  seller: string
  order: string
  /** Opens the page with the invoice without signing in. */
  path: string
}

export const invoiceMail = mailTemplate<InvoiceMail>('invoice', {
  content: ({ kind, number, seller, order, path }, { market, origin }) => {
    const t = wordsFor(market)
    const subject = t(kind === 'sale' ? 'invoice.mail.subject' : 'invoice.mail.credit-subject', { number, seller })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('invoice.mail.text', { document: t(`invoice.kind.${kind}`), number, seller, order }) },
        { kind: 'button', label: t('invoice.mail.button'), url: origin + path },
      ],
    }
  },
  example: () => ({
    kind: 'sale',
    number: 'S12-2026-000042',
    seller: 'Toolyard Pennine',
    order: 'P0123456789ABCDEF',
    path: '/online-support/P0123456789ABCDEF/invoice',
  }),
})

/** Previewed at /dev/mails. */
export const mails = [invoiceMail]
