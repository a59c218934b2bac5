import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailContent, type MailItem, type MailSite } from '#mail'

export interface LeftGoods {
  sellers: { name: string; items: MailItem[] }[]
  /** Lines beyond those shown. */
  more: number
  /** Whether the amounts include VAT, as they do in the basket. */
  isWithVat: boolean
}

type Reminder = LeftGoods & { token: string }

/** The mail about a basket, and why it was sent and how to end it. Its link opens the basket of the browser: it names nobody and opens nothing by itself. */
function reminderContent({ sellers, more, isWithVat }: LeftGoods, { market, origin }: MailSite, reason: string[]): MailContent {
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
      { kind: 'quiet', lines: reason },
    ],
  }
}

const example = (): Reminder => ({
  sellers: [
    {
      name: 'Brico Direct',
      items: [{ title: 'Nordwerk 18 V', quantity: 1, amount: '89.00', picture: null }],
    },
  ],
  more: 2,
  isWithVat: true,
  token: 'example-token-that-ends-offers-1',
})

/** Reminds a customer of a basket. */
export const basketMail = mailTemplate<Reminder>('basket-reminder', {
  content: (goods, site) => {
    const t = wordsFor(site.market)
    return reminderContent(goods, site, [
      t('reminder.mail.why'),
      t('reminder.mail.stop', { url: `${site.origin}/unsubscribe?offers=${goods.token}` }),
    ])
  },
  example,
})

/** Reminds a guest, once. */
export const guestMail = mailTemplate<Reminder>('guest-basket-reminder', {
  content: (goods, site) => {
    const t = wordsFor(site.market)
    return reminderContent(goods, site, [
      t('reminder.mail.why-guest'),
      t('reminder.mail.stop-guest', { url: `${site.origin}/unsubscribe?basket=${goods.token}` }),
    ])
  },
  example,
})

/** Asks the owner of an address whether they want to be reminded. It advertises nothing and names no goods: that would need their consent. */
export const guestConfirmMail = mailTemplate<{ token: string }>('guest-basket-confirm', {
  content: ({ token }, { market, origin }) => {
    const t = wordsFor(market)
    return {
      subject: t('reminder.confirm-mail.subject'),
      preview: t('reminder.confirm-mail.text'),
      blocks: [
        { kind: 'text', text: t('reminder.confirm-mail.text') },
        { kind: 'button', label: t('reminder.confirm-mail.do'), url: `${origin}/confirm-subscription?basket=${token}` },
        { kind: 'quiet', lines: [t('reminder.confirm-mail.else')] },
      ],
    }
  },
  example: () => ({ token: 'example-token-to-confirm-a-mail1' }),
})

/** Shown at /dev/mails. */
export const mails = [basketMail, guestMail, guestConfirmMail]
