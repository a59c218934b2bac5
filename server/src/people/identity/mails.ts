import { type Language, markets } from '@purlin/contract/markets.ts'
import { type MailBlock, mailTemplate } from '#mail'
import de from './messages/de.json' with { type: 'json' }
import en from './messages/en.json' with { type: 'json' }
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }
import it from './messages/it.json' with { type: 'json' }

type Words = Record<keyof typeof en, string>
const catalogues: Record<Language, Words> = { en, fr, de, es, it }

interface LinkPayload {
  /** First name; null for somebody without an account, whose words are not sent to a stranger's mailbox. */
  name: string | null
  url: string
  minutes: number
}

/** A mail with one link: what it is for, how long it holds, and what to do with one nobody asked for. */
const linkMail = (name: string, kind: 'confirm' | 'existing' | 'reset' | 'link') =>
  mailTemplate<LinkPayload>(name, {
    content: ({ name: firstName, url, minutes }, { market }) => {
      const words = catalogues[markets[market].language]
      const text = fill(words[`${kind}.text`], { minutes: String(minutes) })
      const greeting: MailBlock[] = firstName ? [{ kind: 'text', text: fill(words.greeting, { name: firstName }) }] : []
      return {
        subject: words[`${kind}.subject`],
        preview: text,
        blocks: [
          ...greeting,
          { kind: 'text', text },
          { kind: 'button', label: words[`${kind}.button`], url },
          { kind: 'quiet', lines: [words[`${kind}.ignore`]] },
        ],
      }
    },
    example: ({ origin }) => ({ name: kind === 'confirm' ? null : 'Ann', url: `${origin}/`, minutes: 60 }),
  })

export const confirmAddressMail = linkMail('confirm-address', 'confirm')
export const existingAccountMail = linkMail('existing-account', 'existing')
export const resetPasswordMail = linkMail('reset-password', 'reset')
export const signInLinkMail = linkMail('sign-in-link', 'link')

export type SecurityChange = 'password' | 'second-on' | 'second-off' | 'passkey' | 'recovery'

/** Tells the owner of an account that somebody, we hope they, changed how it is opened. */
export const securityChangeMail = mailTemplate<{ name: string; change: SecurityChange }>('security-change', {
  content: ({ name, change }, { market }) => {
    const words = catalogues[markets[market].language]
    return {
      subject: words['changed.subject'],
      preview: words[`changed.${change}`],
      blocks: [
        { kind: 'text', text: fill(words.greeting, { name }) },
        { kind: 'text', text: words[`changed.${change}`] },
        { kind: 'quiet', lines: [words['changed.ignore']] },
      ],
    }
  },
  example: () => ({ name: 'Ann', change: 'password' }),
})

/** Shown at /dev/mails. */
export const mails = [confirmAddressMail, existingAccountMail, resetPasswordMail, signInLinkMail, securityChangeMail]

function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
