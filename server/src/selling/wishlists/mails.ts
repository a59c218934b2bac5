import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailContent, type MailSite } from '#mail'
import type { NoticeKind } from './notice.ts'

export interface NoticePayload {
  title: string
  price: string
  /** The price they last knew; null while nobody sold it. */
  before: string | null
  productUrl: string
  token: string
}

/** The news in a sentence, and its title. */
export function noticeText(
  kind: NoticeKind,
  { title, price, before }: Pick<NoticePayload, 'title' | 'price' | 'before'>,
  market: Market,
): { subject: string; text: string } {
  const t = wordsFor(market)
  return {
    subject: t(kind === 'back-in-stock' ? 'wishlist-notice.back.subject' : 'wishlist-notice.drop.subject', { title }),
    text:
      kind === 'back-in-stock' || before === null
        ? t('wishlist-notice.back.text', { title, price })
        : t('wishlist-notice.drop.text', { title, price, before }),
  }
}

function content(kind: NoticeKind, payload: NoticePayload, { market, origin }: MailSite): MailContent {
  const t = wordsFor(market)
  const { productUrl, token } = payload
  const { subject, text } = noticeText(kind, payload, market)
  return {
    subject,
    preview: text,
    blocks: [
      { kind: 'text', text },
      { kind: 'button', label: t('wishlist-notice.see'), url: productUrl },
      { kind: 'quiet', lines: [t('wishlist-notice.why'), t('wishlist-notice.stop', { url: `${origin}/unsubscribe?list=${token}` })] },
    ],
  }
}

const example = (site: MailSite): NoticePayload => ({
  title: 'Nordwerk 18 V',
  price: '89.00',
  before: '119.00',
  productUrl: `${site.origin}/p/nordwerk-18-v-100001`,
  token: 'example-token-of-a-list-1',
})

export const priceDropMail = mailTemplate<NoticePayload>('wishlist-price-drop', {
  content: (payload, site) => content('price-drop', payload, site),
  example,
})
export const backInStockMail = mailTemplate<NoticePayload>('wishlist-back-in-stock', {
  content: (payload, site) => content('back-in-stock', payload, site),
  example,
})

/** Shown at /dev/mails. */
export const mails = [priceDropMail, backInStockMail]
