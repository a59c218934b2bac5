import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailItem } from '#mail'

export interface LeftGoods {
  sellers: { name: string; items: MailItem[] }[]
  /** Lines beyond those shown. */
  more: number
  /** Whether the amounts include VAT, as they do in the basket. */
  isWithVat: boolean
}

/** Reminds of a basket. Its link opens the basket of whoever is signed in: it names nobody and opens nothing by itself. */
export const basketMail = mailTemplate<LeftGoods & { token: string }>('basket-reminder', {
  content: ({ sellers, more, isWithVat, token }, { market, origin }) => {
    const t = wordsFor(market)
    const title = sellers[0]?.items[0]?.title ?? ''
    return {
      subject: t('reminder.mail.subject', { title }),
      preview: t('reminder.mail.text'),
      blocks: [
        { kind: 'text', text: t('reminder.mail.text') },
        ...sellers.map(({ name, items }) => ({
          kind: 'items' as const,
          title: t('mail.sold-by', { seller: name }),
          note: '',
          delivery: '',
          items,
        })),
        ...(more > 0 ? [{ kind: 'text' as const, text: t('reminder.mail.more', { count: more }) }] : []),
        { kind: 'button', label: t('reminder.mail.open'), url: origin + publicUrl('cart', {}) },
        { kind: 'quiet', lines: [t(isWithVat ? 'reminder.mail.prices' : 'reminder.mail.prices-net')] },
        { kind: 'quiet', lines: [t('reminder.mail.why'), t('reminder.mail.stop', { url: `${origin}/unsubscribe?offers=${token}` })] },
      ],
    }
  },
  example: () => ({
    sellers: [
      {
        name: 'Brico Direct',
        items: [{ title: 'Nordwerk 18 V', quantity: 1, amount: '89.00', picture: null }],
      },
    ],
    more: 2,
    isWithVat: true,
    token: 'example-token-that-ends-offers-1',
  }),
})

/** Shown at /dev/mails. */
export const mails = [basketMail]
