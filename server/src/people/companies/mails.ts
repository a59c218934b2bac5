import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'

interface Payload {
  name: string
  company: string
}

/** Each links to the page of the request, which shows its status and continues to the professional storefront. */
const template = (what: 'received' | 'accepted' | 'refused') =>
  mailTemplate<Payload>(`conversion-${what}`, {
    content: (payload, { market, origin }) => {
      const t = wordsFor(market)
      return {
        subject: t(`conversion.mail.${what}.subject`, payload),
        preview: t(`conversion.mail.${what}.subject`, payload),
        blocks: [
          { kind: 'text', text: t(`conversion.mail.${what}.text`, payload) },
          { kind: 'button', label: t(`conversion.mail.${what}.button`), url: `${origin}/pro-account/signup` },
        ],
      }
    },
    example: () => ({ name: 'Ada Beam', company: 'Beam & Daughters Ltd' }),
  })

export const receivedMail = template('received')
export const acceptedMail = template('accepted')
export const refusedMail = template('refused')

/** The link works once, and for the invited address alone. */
export const invitationMail = mailTemplate<{ company: string; inviter: string; token: string }>('company-invitation', {
  content: ({ company, inviter, token }, { market, origin }) => {
    const t = wordsFor(market)
    return {
      subject: t('company.mail.subject', { company }),
      preview: t('company.mail.subject', { company }),
      blocks: [
        { kind: 'text', text: t('company.mail.text', { company, inviter }) },
        { kind: 'button', label: t('company.mail.button'), url: `${origin}/company-invitation/${token}` },
        { kind: 'quiet', lines: [t('company.mail.ignore')] },
      ],
    }
  },
  example: () => ({ company: 'Beam & Daughters Ltd', inviter: 'Ada Beam', token: 'the-token-of-the-link' }),
})

/** Shown at /dev/mails. */
export const mails = [receivedMail, acceptedMail, refusedMail, invitationMail]
