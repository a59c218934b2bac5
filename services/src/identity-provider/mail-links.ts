import type { Realm } from '@purlin/contract/identity.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import type { MailTemplate } from '@purlin/server/foundation/mail/index.ts'
import { sendMail } from '@purlin/server/foundation/mail/index.ts'
import { asCommand, mailboxOf, type Db } from '@purlin/server/foundation/platform/index.ts'
import type { Account } from './accounts.ts'
import { type Counted, countAttempt } from './attempts.ts'
import type { IdentityContext } from './context.ts'
import { isKnownNetwork } from './known-networks.ts'
import type { Interaction } from './pass-factors.ts'
import { isKnownBrowser } from './sign-in.ts'
import { browserOf } from './tickets.ts'
import { issueToken } from './tokens.ts'
import { mailSiteOf, show, type Visit } from './visit.ts'

const dayMinutes = 24 * 60

/** How long the links in mails are valid. That to the present address outlives a change confirmed on the last minute and decided on the last day. */
export const linkMinutes = {
  register: dayMinutes,
  reset: 60,
  link: 15,
  email: dayMinutes,
  'agree-email': 9 * dayMinutes,
  'undo-email': 7 * dayMinutes,
} as const

/** Context a mail link carries from the page that requested it. */
export interface LinkData {
  /** Undefined if the browser has cookies disabled. */
  browser: string | undefined
  interaction: string
  /** Origin of the shop, null for none. */
  shop: string | null
  language: string
  locale: string
}

export function linkDataOf(interaction: Interaction): LinkData {
  const { details, site, language } = interaction
  const locale = site?.language === language ? site.locale : language
  return { browser: browserOf(interaction), interaction: details.uid, shop: site?.origin ?? null, language, locale }
}

/** Who has too many mails, and the seconds until the next one: `address` has requested them, `recipient` gets them. */
interface MailRefusal {
  of: 'address' | 'recipient'
  seconds: number
}

/**
 * Counts a requested mail; undefined if it may be sent. Requests of strangers count by network and purpose, and do not stop those of the
 * owner: in a browser or from a network that has signed in before.
 */
export async function mayMail(visit: Visit, email: string, purpose: keyof typeof linkMinutes): Promise<MailRefusal | undefined> {
  const { realm, address } = visit
  const { db } = visit.context.pool
  const ofAddress = await countAttempt(db, [{ quota: 'mailFrom', subject: address }])
  if (ofAddress !== undefined) return { of: 'address', seconds: ofAddress }
  const subject = `${realm}\n${purpose}\n${mailboxOf(email)}`
  const ofNetwork = `${subject}\n${address}`
  const strangers: Counted[] = [
    { quota: 'mailOfNetwork', subject: ofNetwork },
    { quota: 'mailTo', subject },
  ]
  const steps: Counted[] = isKnownBrowser(visit, email)
    ? [{ quota: 'mailOfBrowser', subject }]
    : (await isKnownNetwork(visit, email))
      ? [{ quota: 'mailOfBrowser', subject: ofNetwork }]
      : strangers
  const seconds = await countAttempt(db, steps)
  return seconds === undefined ? undefined : { of: 'recipient', seconds }
}

/** Where a link is sent from: a visit, or the shop of an earlier one. */
export interface LinkSender {
  context: Pick<IdentityContext, 'pool' | 'url' | 'hosts'>
  realm: Realm
  site: SiteSettings | undefined
}

interface LinkOrder {
  purpose: keyof typeof linkMinutes
  template: MailTemplate<{ name: string | null; url: string; minutes: number }>
  email: string
  account: Account | undefined
  data: LinkData
}

/** A one-time link and its mail, in one transaction. An account's own address alone is greeted by its name. */
export async function sendLink(sender: LinkSender, { purpose, template, email, account, data }: LinkOrder, within?: Db): Promise<void> {
  const { context, realm } = sender
  const minutes = linkMinutes[purpose]
  const send = async (db: Db) => {
    const token = await issueToken(db, { realm, purpose, accountId: account?.id ?? null, email, data }, minutes)
    // Names the shop for the day on which the link is no longer known.
    const shop = data.shop ? `?shop=${encodeURIComponent(data.shop)}` : ''
    const name = account?.email === email ? account.givenName : null
    const payload = { name, url: `${context.url}/realms/${realm}/link/${token}${shop}`, minutes }
    await sendMail({ db }, template, { to: email, site: mailSiteOf(sender), payload, key: mailKeyOf(account, token.slice(0, 22)) })
  }
  await (within ? send(within) : asCommand(context.pool, ({ db }) => send(db)))
}

/** Names the account, by which its mails are found when it is erased, whichever addresses they went to. */
export function mailKeyOf(account: Pick<Account, 'realm' | 'id'> | undefined, unique: string): string {
  return account ? `identity:${account.realm}/${account.id}:${unique}` : `identity:${unique}`
}

/** The same response for every well-formed address, with the way back to the form at `again`. */
export function showMailSent(interaction: Interaction, email: string, purpose: keyof typeof linkMinutes, again: string): void {
  const { t, start } = interaction
  const text =
    purpose === 'register'
      ? t('identity.mail-sent.text-day', { email })
      : t('identity.mail-sent.text', { email, minutes: linkMinutes[purpose] })
  const links = [
    { href: `${start}/${again}`, label: t('identity.mail-sent.again') },
    { href: start, label: t('identity.sign-in.title') },
  ]
  show(interaction, 200, {
    title: t('identity.mail-sent.title'),
    blocks: [
      { kind: 'text', text },
      { kind: 'links', links },
    ],
  })
}
