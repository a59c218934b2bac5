import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'

export const cardExpiresMail = mailTemplate<{ brand: string; last4: string; expires: string }>('card-expires', {
  content: (card, { market, origin }) => {
    const t = wordsFor(market)
    return {
      subject: t('cards.mail.subject', card),
      preview: t('cards.mail.text', card),
      blocks: [
        { kind: 'text', text: t('cards.mail.text', card) },
        { kind: 'button', label: t('cards.mail.button'), url: `${origin}/my-wallet` },
      ],
    }
  },
  example: () => ({ brand: 'Visa', last4: '4242', expires: '04/29' }),
})

/** Shown at /dev/mails. */
export const mails = [cardExpiresMail]
