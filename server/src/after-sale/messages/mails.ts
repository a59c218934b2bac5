import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailSite } from '#mail'
import type { Side } from './conversation.ts'

export interface MessageMail {
  orderId: string
  sellerName: string
  author: Side
  body: string
  fileCount: number
}

/** A message for the buyer, with a link to answer, also without an account. */
export const messageToBuyerMail = mailTemplate<MessageMail & { url: string }>('message-to-buyer', {
  content: ({ orderId, sellerName, author, body, fileCount, url }, { market }) => {
    const t = wordsFor(market)
    const subject =
      author === 'operator'
        ? t('message-mail.from-operator', { id: orderId })
        : t('message-mail.from-seller', { seller: sellerName, id: orderId })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: subject },
        { kind: 'quiet', lines: body.split('\n') },
        ...(fileCount > 0 ? [{ kind: 'text' as const, text: t('message-mail.files', { count: fileCount }) }] : []),
        { kind: 'button', label: t('message-mail.answer'), url },
        { kind: 'quiet', lines: [t('message-mail.why'), t('mail.regards')] },
      ],
    }
  },
  example: (site) => ({ ...example(), author: 'seller', url: `${site.origin}/my-messages/conversation/EXAMPLE-1234-7` }),
})

/** A message for the seller; they answer through the API. */
export const messageToSellerMail = mailTemplate<MessageMail>('message-to-seller', {
  content: ({ orderId, author, body, fileCount }, { market }) => {
    const t = wordsFor(market)
    const subject = author === 'operator' ? t('message-mail.from-operator', { id: orderId }) : t('message-mail.from-buyer', { id: orderId })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: subject },
        { kind: 'quiet', lines: body.split('\n') },
        ...(fileCount > 0 ? [{ kind: 'text' as const, text: t('message-mail.files', { count: fileCount }) }] : []),
        { kind: 'text', text: t('message-mail.seller-answer') },
        { kind: 'quiet', lines: [t('mail.regards')] },
      ],
    }
  },
  example,
})

/** Reminds a seller of an answer that is still missing. */
export const answerReminderMail = mailTemplate<{ orderId: string; dueAt: Date }>('message-reminder', {
  content: ({ orderId, dueAt }, { market }) => {
    const t = wordsFor(market)
    const subject = t('message-mail.reminder.subject', { id: orderId })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('message-mail.reminder.text', { id: orderId, at: dueAt }) },
        { kind: 'text', text: t('message-mail.seller-answer') },
        { kind: 'quiet', lines: [t('mail.regards')] },
      ],
    }
  },
  example: () => ({ orderId: 'EXAMPLE-1234-7', dueAt: new Date('2026-11-24T09:30:00Z') }),
})

/** The seller has not answered in time: the buyer learns what they can do. */
export const answerLateMail = mailTemplate<{ orderId: string; sellerName: string; url: string }>('message-late', {
  content: ({ orderId, sellerName, url }, { market }) => {
    const t = wordsFor(market)
    const subject = t('message-mail.late.subject', { seller: sellerName, id: orderId })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('message-mail.late.text', { seller: sellerName }) },
        { kind: 'button', label: t('message-mail.late.open'), url },
        { kind: 'quiet', lines: [t('message-mail.why'), t('mail.regards')] },
      ],
    }
  },
  example: (site) => ({ ...example(), url: `${site.origin}/my-messages/conversation/EXAMPLE-1234-7` }),
})

/** For the operator: a seller owes an answer, or a message was reported. */
export const conversationNoticeMail = mailTemplate<{ orderId: string; about: string; lines: string[] }>('message-notice-of-conversation', {
  content: ({ orderId, about, lines }, { market }: MailSite) => ({
    subject: `[${market}] ${about} ${orderId}`,
    preview: orderId,
    blocks: [{ kind: 'quiet', lines }],
  }),
  example: () => ({ orderId: 'EXAMPLE-1234-7', about: 'late-answer', lines: ['Nordwerk'] }),
})

/** Previewed at /dev/mails. */
export const mails = [messageToBuyerMail, messageToSellerMail, answerReminderMail, answerLateMail, conversationNoticeMail]

function example(): MessageMail {
  return { orderId: 'EXAMPLE-1234-7', sellerName: 'Nordwerk', author: 'buyer', body: 'When will the drill arrive?', fileCount: 1 }
}
