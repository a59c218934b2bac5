import { wordsFor } from '@purlin/words/catalogues.ts'
import { type MailContent, mailTemplate } from '#mail'

interface LinkPayload {
  /** First name; null for a recipient without an account, so that a stranger's text never reaches their mailbox. */
  name: string | null
  url: string
  minutes: number
}

interface LinkWords {
  subject: string
  text: string
  button: string
  /** The label of the second button, which refuses what the first one grants. */
  refuse?: string
  ignore: string
}

/** A mail with a link: its purpose, its validity, and what to do if the recipient did not request it. */
function linkMail(name: string, say: (words: ReturnType<typeof wordsFor>, minutes: number) => LinkWords) {
  return mailTemplate<LinkPayload>(name, {
    content: ({ name: firstName, url, minutes }, { market }): MailContent => {
      const t = wordsFor(market)
      const { subject, text, button, refuse, ignore } = say(t, minutes)
      return {
        subject,
        preview: text,
        blocks: [
          ...(firstName ? [{ kind: 'text' as const, text: t('identity-mail.greeting', { name: firstName }) }] : []),
          { kind: 'text', text },
          { kind: 'button', label: button, url },
          ...(refuse ? [{ kind: 'button' as const, label: refuse, url: refusalOf(url) }] : []),
          { kind: 'quiet', lines: [ignore] },
        ],
      }
    },
    example: ({ origin }) => ({ name: 'Ann', url: `${origin}/`, minutes: 60 }),
  })
}

/** The same link, whose page then begins with the refusal. */
function refusalOf(url: string): string {
  const refusal = new URL(url)
  refusal.searchParams.set('answer', 'refuse')
  return refusal.href
}

export const confirmAddressMail = linkMail('confirm-address', (t) => ({
  subject: t('identity-mail.confirm.subject'),
  text: t('identity-mail.confirm.text'),
  button: t('identity-mail.confirm.button'),
  ignore: t('identity-mail.confirm.ignore'),
}))
export const existingAccountMail = linkMail('existing-account', (t) => ({
  subject: t('identity-mail.existing.subject'),
  text: t('identity-mail.existing.text'),
  button: t('identity-mail.existing.button'),
  ignore: t('identity-mail.existing.ignore'),
}))
export const resetPasswordMail = linkMail('reset-password', (t, minutes) => ({
  subject: t('identity-mail.reset.subject'),
  text: t('identity-mail.reset.text', { minutes }),
  button: t('identity-mail.reset.button'),
  ignore: t('identity-mail.reset.ignore'),
}))
export const signInLinkMail = linkMail('sign-in-link', (t, minutes) => ({
  subject: t('identity-mail.link.subject'),
  text: t('identity-mail.link.text', { minutes }),
  button: t('identity-mail.link.button'),
  ignore: t('identity-mail.link.ignore'),
}))

export const newAddressMail = linkMail('new-address', (t) => ({
  subject: t('identity-mail.new-address.subject'),
  text: t('identity-mail.new-address.text'),
  button: t('identity-mail.new-address.button'),
  ignore: t('identity-mail.new-address.ignore'),
}))
export const agreeAddressMail = linkMail('agree-address', (t) => ({
  subject: t('identity-mail.agree.subject'),
  text: t('identity-mail.agree.text'),
  button: t('identity-mail.agree.button'),
  refuse: t('identity-mail.agree.refuse'),
  ignore: t('identity-mail.agree.ignore'),
}))
export const addressReminderMail = linkMail('address-reminder', (t) => ({
  subject: t('identity-mail.agree.reminder-subject'),
  text: t('identity-mail.agree.reminder-text'),
  button: t('identity-mail.agree.button'),
  refuse: t('identity-mail.agree.refuse'),
  ignore: t('identity-mail.agree.ignore'),
}))
export const movedAddressMail = linkMail('moved-address', (t) => ({
  subject: t('identity-mail.moved.subject'),
  text: t('identity-mail.moved.text'),
  button: t('identity-mail.moved.button'),
  ignore: t('identity-mail.moved.ignore'),
}))

export type SecurityChange = 'password' | 'second-on' | 'second-off' | 'passkey' | 'recovery'

/** Our support will turn off the second step: a new password does not prevent that, a code on the linked page does. */
export const secondStepEndsMail = linkMail('second-step-ends', (t) => ({
  subject: t('identity-mail.second-ends.subject'),
  text: t('identity-mail.second-ends.text'),
  button: t('identity-mail.second-ends.button'),
  ignore: t('identity-mail.second-ends.ignore'),
}))

/** Notifies the owner of an account that its credentials were changed. */
export const securityChangeMail = mailTemplate<{ name: string; change: SecurityChange }>('security-change', {
  content: ({ name, change }, { market }) => {
    const t = wordsFor(market)
    const text = t(`identity-mail.changed.${change}`)
    return {
      subject: t('identity-mail.changed.subject'),
      preview: text,
      blocks: [
        { kind: 'text', text: t('identity-mail.greeting', { name }) },
        { kind: 'text', text },
        { kind: 'quiet', lines: [t('identity-mail.changed.ignore')] },
      ],
    }
  },
  example: () => ({ name: 'Ann', change: 'password' }),
})

/** `changed` goes to the new address, `refused` to both, `failed` to the present one. */
export type AddressNews = 'changed' | 'refused' | 'failed'

/** Says what became of a change of address; without a name for a recipient who may be a stranger to the account. */
export const addressNewsMail = mailTemplate<{ name: string | null; news: AddressNews }>('address-news', {
  content: ({ name, news }, { market }) => {
    const t = wordsFor(market)
    const text = t(`identity-mail.address-news.${news}`)
    return {
      subject: t(`identity-mail.address-news.${news}-subject`),
      preview: text,
      blocks: [...(name ? [{ kind: 'text' as const, text: t('identity-mail.greeting', { name }) }] : []), { kind: 'text', text }],
    }
  },
  example: () => ({ name: 'Ann', news: 'changed' }),
})

/** Shown at /dev/mails. */
export const mails = [
  confirmAddressMail,
  existingAccountMail,
  resetPasswordMail,
  signInLinkMail,
  securityChangeMail,
  secondStepEndsMail,
  newAddressMail,
  agreeAddressMail,
  addressReminderMail,
  movedAddressMail,
  addressNewsMail,
]
