import { isEmail, maxEmailLength } from '@purlin/contract/email.ts'
import { asCommand, type Db } from '@purlin/server/foundation/platform/index.ts'
import { existingAccountMail, movedAddressMail, newAddressMail, resetPasswordMail } from '@purlin/server/people/identity/index.ts'
import { emailChanged } from '@purlin/server/people/auth/provider-news.ts'
import { type AccountVisit, accountForm, addressOf, checkPassword } from './account-visit.ts'
import { type Account, findAccountByEmail, normalizeEmail, writeEmail } from './accounts.ts'
import { type LinkData, linkMinutes, mayMail, sendLink } from './mail-links.ts'
import type { FieldModel } from './pages/model.ts'
import { endSessionsOf, identityOf } from './sessions.ts'
import { browserOf } from './tickets.ts'
import { spendPurposeOf, spendToken, spendTokensOf, spendTokensSince } from './tokens.ts'
import { type Visit, formFor, show, signInLinks } from './visit.ts'
import type { Word } from './words.ts'

/**
 * An account's address is changed by a link to the new one, opened in the browser that asked for it: a stranger's click
 * confirms nothing. The old address is told and can undo the change for a week.
 */

/** Current password and new address. The answer does not say whether the new address has an account. */
export async function changeEmail(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, account, t, realm, response } = visit
  const { db } = context.pool
  const email = normalizeEmail(sent?.get('email') ?? '').slice(0, maxEmailLength + 1)
  const page = (status: number, problems: { email?: Word; old?: string } = {}) => {
    const fields: FieldModel[] = [
      {
        name: 'email',
        label: t('identity.field.new-email'),
        type: 'email',
        value: email,
        autoComplete: 'email',
        ...(problems.email && { error: t(problems.email) }),
      },
      ...(account.password
        ? [
            {
              name: 'old_password',
              label: t('identity.field.password'),
              type: 'password' as const,
              autoComplete: 'current-password',
              ...(problems.old && { error: problems.old }),
            },
          ]
        : []),
    ]
    show(visit, status, {
      title: t('identity.account.email'),
      intro: t('identity.email.intro', { email: account.email }),
      blocks: [
        { kind: 'form', form: accountForm(visit, 'email', fields, 'identity.forgotten.submit') },
        { kind: 'links', links: [{ href: addressOf(visit, ''), label: t('identity.account.title') }] },
      ],
    })
  }
  if (!sent) return page(200)
  const later = (seconds: number) => {
    response.setHeader('retry-after', String(seconds))
    return page(429, { old: t('identity.sign-in.wait', { minutes: Math.ceil(seconds / 60) }) })
  }
  const { isRight, waitSeconds } = await checkPassword(visit, sent.get('old_password') ?? '')
  if (waitSeconds !== undefined) return later(waitSeconds)
  if (!isRight) return page(422, { old: t('identity.wrong.old-password') })
  if (!isEmail(email) || email === account.email) return page(422, { email: 'identity.wrong.email' })
  const refused = await mayMail(visit, email, 'email')
  if (refused === 'address') return later(60)
  const data = linkDataOf(visit)
  if (refused === undefined)
    context.later(async () => {
      const known = await findAccountByEmail(db, realm, email)
      if (known) return sendLink(visit, { purpose: 'reset', template: existingAccountMail, email, account: known, data })
      await spendPurposeOf(db, account, 'email')
      await sendLink(visit, { purpose: 'email', template: newAddressMail, email, account, data })
    })
  show(visit, 200, {
    title: t('identity.mail-sent.title'),
    blocks: [
      { kind: 'text', text: t('identity.mail-sent.text', { email, minutes: linkMinutes.email }) },
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

interface EmailLink extends Visit {
  value: string
  email: string
  isSameBrowser: boolean
  form: URLSearchParams | undefined
}

/** False when the link is worth nothing any more. */
export async function confirmEmail(link: EmailLink, account: Account): Promise<boolean> {
  const { context, realm, t, form, isSameBrowser, value, email } = link
  const title = t('identity.email.confirm-title')
  if (!isSameBrowser) {
    show(link, 200, { title, blocks: [{ kind: 'text', text: t('identity.email.other') }] })
    return true
  }
  if (!form) {
    const submit = formFor(link, link.path, [], t('identity.email.confirm-submit'))
    show(link, 200, { title, intro: t('identity.email.confirm', { email }), blocks: [{ kind: 'form', form: submit }] })
    return true
  }
  const changed = await asCommand(context.pool, async ({ db }) => {
    if (!(await spendToken(db, realm, 'email', value)) || !(await writeEmail(db, account, email))) return { ok: false }
    await emailChanged(db, identityOf(context, account), email)
    // Links to either address were sent for the account as it was.
    for (const each of [account.email, email]) await spendTokensOf(db, realm, each)
    const undo: UndoData = { ...linkDataOf(link), at: new Date(Date.now() - dayMs).toISOString() }
    await sendLink(link, { purpose: 'undo-email', template: movedAddressMail, email: account.email, account, data: undo }, db)
    return { ok: true }
  })
  if (!changed.ok) return false
  show(link, 200, {
    title: t('identity.email.done-title'),
    alert: { severity: 'success', text: t('identity.email.done', { email }) },
    blocks: signInLinks(link),
  })
  return true
}

const dayMs = 86_400_000

interface UndoData extends LinkData {
  /** ISO 8601, a day before the change: factors added since may be somebody else's. */
  at: string
}

/**
 * Gives an account its old address back, for whoever reads the mails there: all sessions end, the password, the recovery codes and
 * the factors added since the day before are worth nothing, and a new password is chosen by a link.
 */
export async function undoEmail(link: EmailLink, account: Account, data: LinkData): Promise<boolean> {
  const { context, realm, t, form, value, email } = link
  const title = t('identity.email.undo-title')
  if (!form) {
    const submit = formFor(link, link.path, [], t('identity.email.undo-submit'))
    show(link, 200, { title, intro: t('identity.email.undo-text', { email }), blocks: [{ kind: 'form', form: submit }] })
    return true
  }
  const { at } = data as UndoData
  const undone = await asCommand(context.pool, async ({ db }) => {
    if (!(await spendToken(db, realm, 'undo-email', value)) || !(await writeEmail(db, account, email))) return { ok: false }
    // The undo of an earlier address outranks this one; those of later addresses end with it.
    await spendTokensSince(db, account, value)
    await dropFactorsSince(db, account, at)
    await endSessionsOf(db, context, account)
    await emailChanged(db, identityOf(context, account), email)
    await sendLink(
      link,
      { purpose: 'reset', template: resetPasswordMail, email, account: { ...account, email }, data: linkDataOf(link) },
      db,
    )
    return { ok: true }
  })
  if (!undone.ok) return false
  show(link, 200, {
    title: t('identity.email.undone-title'),
    alert: { severity: 'success', text: t('identity.email.undone', { email }) },
    blocks: signInLinks(link),
  })
  return true
}

function linkDataOf(visit: Visit): LinkData {
  const { site, language } = visit
  const locale = site?.language === language ? site.locale : language
  return { browser: browserOf(visit), interaction: '', shop: site?.origin ?? null, language, locale }
}

const dropPassword = { name: 'identity.drop-password', text: 'update identity.account set password = null where realm = $1 and id = $2' }
const dropPasskeys = {
  name: 'identity.drop-passkeys-since',
  text: 'delete from identity.passkey where realm = $1 and account_id = $2 and created_at >= $3::timestamptz',
}
const dropTotp = {
  name: 'identity.drop-totp-since',
  text: `with gone as (delete from identity.totp where realm = $1 and account_id = $2 and created_at >= $3::timestamptz)
    delete from identity.recovery_code where realm = $1 and account_id = $2`,
}

async function dropFactorsSince(db: Db, { realm, id }: Account, at: string): Promise<void> {
  await db.run(dropPassword, [realm, id])
  await db.run(dropPasskeys, [realm, id, at])
  await db.run(dropTotp, [realm, id, at])
}
