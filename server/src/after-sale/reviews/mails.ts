import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import { refusalText } from './refusal-text.ts'

export interface InvitationPayload {
  firstName: string
  sellerName: string
  goods: string[]
  token: string
}

export const invitationMail = mailTemplate<InvitationPayload>('review-invitation', {
  content: ({ firstName, sellerName, goods, token }, { market, origin }) => {
    const t = wordsFor(market)
    const text = t('review-mail.invitation.text', { name: firstName, seller: sellerName })
    return {
      subject: t('review-mail.invitation.subject', { count: goods.length, title: goods[0] ?? '' }),
      preview: text,
      blocks: [
        { kind: 'text', text },
        { kind: 'quiet', lines: goods },
        { kind: 'button', label: t('review-mail.invitation.write'), url: `${origin}/review?token=${token}` },
        {
          kind: 'quiet',
          lines: [
            t('review-mail.invitation.verified'),
            t('review-mail.invitation.stop', { url: `${origin}/unsubscribe-rating-email?token=${token}` }),
          ],
        },
      ],
    }
  },
  example: () => ({
    firstName: 'Grace',
    sellerName: 'Outillage Vercors',
    goods: ['Nordwerk 18 V'],
    token: 'example-token-of-an-invitation-000000000000',
  }),
})

export interface RefusedPayload {
  title: string
  reason: string
}

/** The statement of reasons for a text that was not published (DSA Art. 17). */
export const refusedMail = mailTemplate<RefusedPayload>('review-refused', {
  content: ({ title, reason }, { market, origin }) => {
    const t = wordsFor(market)
    const text = t('review-mail.refused.text', { title })
    return {
      subject: t('review-mail.refused.subject'),
      preview: text,
      blocks: [
        { kind: 'text', text },
        { kind: 'text', text: refusalText(market, reason) },
        { kind: 'quiet', lines: [t('review-mail.refused.appeal', { url: `${origin}/contact` })] },
      ],
    }
  },
  example: () => ({ title: 'Good drill', reason: 'personal-data' }),
})

export interface AnsweredPayload {
  title: string
  question: string
  answer: string
  author: string
  url: string
}

export const answeredMail = mailTemplate<AnsweredPayload>('question-answered', {
  content: ({ title, question, answer, author, url }, { market }) => {
    const t = wordsFor(market)
    const subject = t('review-mail.answered.subject', { title })
    return {
      subject,
      preview: answer,
      blocks: [
        { kind: 'quiet', lines: [question] },
        { kind: 'text', text: t('review-mail.answered.text', { author, answer }) },
        { kind: 'button', label: t('review-mail.answered.see'), url },
      ],
    }
  },
  example: ({ origin }) => ({
    title: 'Nordwerk 18 V',
    question: 'Is a second battery included?',
    answer: 'Yes, with the case.',
    author: 'Outillage Vercors',
    url: `${origin}/p/nordwerk-18-v-100001/questions`,
  }),
})

/** Shown at /dev/mails. */
export const mails = [invitationMail, refusedMail, answeredMail]
