import { isEmail, maxEmailLength } from '@purlin/contract/email.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { agreeAddressMail, existingAccountMail, newAddressMail } from '@purlin/server/people/identity/index.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import { type AccountVisit, accountForm, addressOf, checkPassword } from './account-visit.ts'
import { findAccountByEmail, normalizeEmail } from './accounts.ts'
import { redirect } from './http.ts'
import { type LinkData, mayMail, sendLink } from './mail-links.ts'
import type { Block, FieldModel } from './pages/model.ts'
import { endChange, lockChange, pendingChange, startChange } from './pending-change.ts'
import { browserOf } from './tickets.ts'
import { type Visit, show } from './visit.ts'

/**
 * An account's address is changed by two links, one to the new address and one to the present one (`email-links.ts`). Without an
 * answer of the present one the change waits (`continue-changes.ts`).
 */

/** Current password and new address. The response does not say whether the new address has an account: the change waits in either case. */
export async function changeEmail(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, account, t, response } = visit
  const email = normalizeEmail(sent?.get('email') ?? '').slice(0, maxEmailLength + 1)
  const page = async (status: number, problems: { email?: string; old?: string } = {}) => {
    const pending = await pendingBlocks(visit)
    show(visit, status, {
      title: t('identity.account.email'),
      intro: t('identity.email.intro', { email: account.email }),
      blocks: [
        ...pending,
        ...(pending.length > 0 ? [{ kind: 'text' as const, text: t('identity.pending.replaces') }] : []),
        { kind: 'form', form: accountForm(visit, 'email', fieldsOf(visit, email, problems), 'identity.forgotten.submit') },
        { kind: 'links', links: [{ href: addressOf(visit, ''), label: t('identity.account.title') }] },
      ],
    })
  }
  if (!sent) return page(200)
  const later = (seconds: number) => {
    response.setHeader('retry-after', String(seconds))
    const wait = t('identity.sign-in.wait', { minutes: Math.ceil(seconds / 60) })
    return page(429, account.password ? { old: wait } : { email: wait })
  }
  const { isRight, waitSeconds } = await checkPassword(visit, sent.get('old_password') ?? '')
  if (waitSeconds !== undefined) return later(waitSeconds)
  if (!isRight) return page(422, { old: t('identity.wrong.old-password') })
  if (!isEmail(email) || email === account.email) return page(422, { email: t('identity.wrong.email') })
  const refused = await mayMail(visit, email, 'email')
  if (refused?.of === 'address') return later(refused.seconds)
  // No change waits without a mail to the present address.
  const refusedHere = await mayMail(visit, account.email, 'agree-email')
  if (refusedHere) return later(refusedHere.seconds)
  const data = linkDataOf(visit)
  await asCommand(context.pool, async ({ db }) => {
    await startChange(db, account, { email, data })
    await sendLink(visit, { purpose: 'agree-email', template: agreeAddressMail, email: account.email, account, data }, db)
  })
  if (refused === undefined) context.later(() => mailNewAddress(visit, email, data))
  show(visit, 200, {
    title: t('identity.mail-sent.title'),
    blocks: [
      { kind: 'text', text: t('identity.email.sent', { email, present: account.email }) },
      {
        kind: 'links',
        links: [
          { href: addressOf(visit, 'email'), label: t('identity.mail-sent.again') },
          { href: addressOf(visit, ''), label: t('identity.account.title') },
        ],
      },
    ],
  })
}

function fieldsOf({ t, account }: AccountVisit, email: string, problems: { email?: string; old?: string }): FieldModel[] {
  const address: FieldModel = {
    name: 'email',
    label: t('identity.field.new-email'),
    type: 'email',
    value: email,
    autoComplete: 'email',
    ...(problems.email && { error: problems.email }),
  }
  if (!account.password) return [address]
  const password: FieldModel = {
    name: 'old_password',
    label: t('identity.field.password'),
    type: 'password',
    autoComplete: 'current-password',
    ...(problems.old && { error: problems.old }),
  }
  return [address, password]
}

/** An address that has an account gets no link that could change anything. */
async function mailNewAddress(visit: AccountVisit, email: string, data: LinkData): Promise<void> {
  const { context, account, realm } = visit
  const known = await findAccountByEmail(context.pool.db, realm, email)
  if (known) return sendLink(visit, { purpose: 'reset', template: existingAccountMail, email, account: known, data })
  await asCommand(context.pool, async ({ db }) => {
    const change = await lockChange(db, account)
    // Cancelled or replaced meanwhile.
    if (change?.email !== email) return
    await sendLink(visit, { purpose: 'email', template: newAddressMail, email, account, data }, db)
  })
}

/** The change that waits, what it waits for, and a button that cancels it; nothing without one. */
export async function pendingBlocks(visit: AccountVisit): Promise<Block[]> {
  const { context, account, t, site, language } = visit
  const change = await pendingChange(context.pool.db, account)
  if (!change) return []
  const { email, agreedAt, dueAt } = change
  const dates = dateFormat(site?.locale ?? language, { dateStyle: 'long', timeZone: site?.timeZone ?? 'UTC' })
  const waitsFor = () => {
    if (dueAt) return t('identity.pending.present', { email, date: dates.format(dueAt) })
    return agreedAt ? t('identity.pending.new', { email }) : t('identity.pending.both', { email })
  }
  return [
    { kind: 'heading', text: t('identity.pending.title') },
    { kind: 'text', text: waitsFor() },
    { kind: 'form', form: accountForm(visit, 'email/cancel', [], 'identity.pending.cancel', { look: 'secondary' }) },
  ]
}

export async function cancelChange(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  if (sent) await asCommand(visit.context.pool, ({ db }) => endChange(db, visit.account))
  redirect(visit.response, addressOf(visit, '', sent && { done: 'email-cancelled' }))
}

export function linkDataOf(visit: Visit): LinkData {
  const { site, language } = visit
  const locale = site?.language === language ? site.locale : language
  return { browser: browserOf(visit), interaction: '', shop: site?.origin ?? null, language, locale }
}
