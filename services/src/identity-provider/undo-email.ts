import { asCommand, type Db } from '@purlin/server/foundation/platform/index.ts'
import { emailChanged } from '@purlin/server/people/auth/provider-news.ts'
import { resetPasswordMail } from '@purlin/server/people/identity/index.ts'
import { type Account, writeEmail } from './accounts.ts'
import type { UndoData } from './apply-change.ts'
import { linkDataOf } from './email-change.ts'
import { sendLink } from './mail-links.ts'
import type { Link } from './opened-link.ts'
import { endChange } from './pending-change.ts'
import { callOffRemovalSince } from './second-step-removal.ts'
import { endSessionsOf, identityOf } from './sessions.ts'
import { spendToken, spendTokensSince } from './tokens.ts'
import { formFor, show, signInLinks } from './visit.ts'

/**
 * Gives an account its former address back, for whoever reads the mails there: all sessions end, the password, the recovery codes and
 * the factors added since the day before the change was requested are worth nothing, a removal of the second step requested since then is
 * called off, and a new password is chosen by a link. False if the link is no longer valid.
 */
export async function undoEmail(link: Link, account: Account): Promise<boolean> {
  const { context, realm, t, form, value } = link
  const { email, data } = link.token
  const title = t('identity.email.undo-title')
  if (!form) {
    const submit = formFor(link, link.path, [], t('identity.email.undo-submit'))
    show(link, 200, { title, intro: t('identity.email.undo-text', { email }), blocks: [{ kind: 'form', form: submit }] })
    return true
  }
  const { at } = data as UndoData
  const undone = await asCommand(context.pool, async ({ db }) => {
    await endChange(db, account)
    if (!(await spendToken(db, realm, 'undo-email', value)) || !(await writeEmail(db, account, email))) return { ok: false }
    // The undo of an earlier address outranks this one; those of later addresses end with it.
    await spendTokensSince(db, account, value)
    await dropFactorsSince(db, account, at)
    await callOffRemovalSince(db, account, at)
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

const dropPassword = { name: 'identity.drop-password', text: 'update identity.account set password = null where realm = $1 and id = $2' }
const dropPasskeys = {
  name: 'identity.drop-passkeys-since',
  text: 'delete from identity.passkey where realm = $1 and account_id = $2 and created_at >= $3::timestamptz',
}
const dropTotp = {
  name: 'identity.drop-totp-since',
  text: 'delete from identity.totp where realm = $1 and account_id = $2 and created_at >= $3::timestamptz',
}
const dropCodes = { name: 'identity.drop-recovery-codes', text: 'delete from identity.recovery_code where realm = $1 and account_id = $2' }

async function dropFactorsSince(db: Db, { realm, id }: Account, at: string): Promise<void> {
  await db.run(dropPassword, [realm, id])
  await db.run(dropPasskeys, [realm, id, at])
  // Whoever finds staff without an authenticator app sets up their own: for them the mailbox would be enough.
  if (realm !== 'staff') await db.run(dropTotp, [realm, id, at])
  await db.run(dropCodes, [realm, id])
}
