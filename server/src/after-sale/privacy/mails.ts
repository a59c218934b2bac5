import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'

/** Announces that the export of a customer's data can be downloaded from the account. */
export const dataReadyMail = mailTemplate<{ name: string }>('data-ready', {
  content: ({ name }, { market, origin }) => {
    const t = wordsFor(market)
    return {
      subject: t('privacy.mail.subject'),
      preview: t('privacy.mail.subject'),
      blocks: [
        { kind: 'text', text: t('privacy.mail.text', { name }) },
        { kind: 'button', label: t('privacy.mail.button'), url: `${origin}/settings#data` },
      ],
    }
  },
  example: () => ({ name: 'Ada Beam' }),
})

/** Previewed at /dev/mails. */
export const mails = [dataReadyMail]
