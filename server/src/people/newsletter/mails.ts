import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import type { Issue } from './issue.ts'

/** Asks the owner of an address whether they want the newsletter. It advertises nothing: that would need their consent. */
export const confirmMail = mailTemplate<{ secret: string }>('newsletter-confirm', {
  content: ({ secret }, { market, origin }) => {
    const t = wordsFor(market)
    return {
      subject: t('newsletter.confirm-mail.subject'),
      preview: t('newsletter.confirm-mail.text'),
      blocks: [
        { kind: 'text', text: t('newsletter.confirm-mail.text') },
        { kind: 'button', label: t('newsletter.confirm-mail.do'), url: `${origin}/confirm-subscription?token=${secret}` },
        { kind: 'quiet', lines: [t('newsletter.confirm-mail.else')] },
      ],
    }
  },
  example: () => ({ secret: 'example-token-to-confirm-a-mail1' }),
})

export const welcomeMail = mailTemplate<{ token: string }>('newsletter-welcome', {
  content: ({ token }, { market, origin }) => {
    const t = wordsFor(market)
    return {
      subject: t('newsletter.welcome-mail.subject'),
      preview: t('newsletter.welcome-mail.text'),
      blocks: [
        { kind: 'text', text: t('newsletter.welcome-mail.text') },
        { kind: 'button', label: t('newsletter.welcome-mail.do'), url: `${origin}/great-deals` },
        { kind: 'quiet', lines: [t('newsletter.welcome-mail.stop', { url: `${origin}/unsubscribe?newsletter=${token}` })] },
      ],
    }
  },
  example: () => ({ token: 'example-token-of-a-newsletter-12' }),
})

type IssueContent = Pick<Issue, 'subject' | 'paragraphs' | 'button'> & { token: string }

export const issueMail = mailTemplate<IssueContent>('newsletter-issue', {
  content: ({ subject, paragraphs, button, token }, { market, origin }) => ({
    subject,
    preview: paragraphs[0] ?? subject,
    blocks: [
      ...paragraphs.map((text) => ({ kind: 'text' as const, text })),
      { kind: 'button', label: button.label, url: origin + button.path },
      {
        kind: 'quiet',
        lines: [wordsFor(market)('newsletter.welcome-mail.stop', { url: `${origin}/unsubscribe?newsletter=${token}` })],
      },
    ],
  }),
  example: ({ market }) => {
    const t = wordsFor(market)
    const button = { label: t('newsletter.welcome-mail.do'), path: '/great-deals' }
    return {
      subject: t('newsletter.welcome-mail.subject'),
      paragraphs: [t('newsletter.welcome-mail.text')],
      button,
      token: 'example-token-of-a-newsletter-12',
    }
  },
})

/** Shown at /dev/mails. */
export const mails = [confirmMail, welcomeMail, issueMail]
