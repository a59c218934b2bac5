import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import { type Account, writePassword } from './accounts.ts'
import { forgetAttempts } from './attempts.ts'
import { newPasswordField, passwordProblem, wordsOfPerson } from './fields.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Link } from './opened-link.ts'
import type { FieldModel } from './pages/model.ts'
import { countLinkForm } from './password-forms.ts'
import { hashPassword } from './password.ts'
import { endChange } from './pending-change.ts'
import { passkeysOf, removePasskey } from './passkeys.ts'
import { turnOffTotp, turnedOnAt } from './second-factor.ts'
import { endSessionsOf } from './sessions.ts'
import { spendToken, spendTokensOf } from './tokens.ts'
import { formFor, show, signInLinks } from './visit.ts'
import type { Word } from './words.ts'

/**
 * A mailbox opens an account, but not one that has had a second step for longer than this: whoever reads the mails could
 * otherwise switch it off. As long as a changed address can be taken back.
 */
const youngMs = 7 * 86_400_000

/** Factors that a new password leaves alone unless the owner says otherwise: a thief's would still open the account. */
async function factorsOf({ context }: Link, account: Account) {
  const { db } = context.pool
  // Staff cannot turn it off on their account page either.
  const second = account.realm === 'staff' ? null : turnedOnAt(db, account)
  const [passkeys, secondSince] = await Promise.all([passkeysOf(db, account), second])
  return { passkeys, secondSince: secondSince && Date.now() - secondSince.getTime() < youngMs ? secondSince : null }
}

/** The link of a forgotten password: a new one, the end of all sessions, and on request of factors somebody else may have added. False when the link is worth nothing any more. */
export async function resetPassword(link: Link, account: Account): Promise<boolean> {
  const { context, realm, t, form, typed, value, site, language, address } = link
  const { passkeys, secondSince } = await factorsOf(link, account)
  const dates = dateFormat(site?.locale ?? language, { dateStyle: 'medium' })
  const choice = (name: string, label: string): FieldModel => ({
    name,
    label,
    type: 'select',
    value: (form ?? typed)?.get(name) === 'remove' ? 'remove' : 'keep',
    options: (['keep', 'remove'] as const).map((what) => ({ value: what, label: t(`identity.reset.${what}`) })),
    hint: t('identity.reset.factors-hint'),
  })
  const list = passkeys.map(({ name, createdAt }) => `${name} (${dates.format(createdAt)})`).join(', ')
  const page = (status: number, problem?: Word) =>
    show(link, status, {
      title: t('identity.reset.title'),
      intro: t('identity.reset.intro', { email: account.email }),
      blocks: [
        {
          kind: 'form',
          form: formFor(
            link,
            link.path,
            [
              newPasswordField(link, { problem }),
              ...(passkeys.length > 0 ? [choice('passkeys', t('identity.reset.passkeys', { list }))] : []),
              ...(secondSince ? [choice('second', t('identity.reset.second', { date: dates.format(secondSince) }))] : []),
            ],
            t('identity.reset.submit'),
          ),
        },
      ],
    })
  if (!form) {
    page(200)
    return true
  }
  await countLinkForm(link)
  const chosen = form.get('password') ?? ''
  const problem = await passwordProblem(link, chosen, wordsOfPerson(account))
  if (problem) {
    page(422, problem)
    return true
  }
  const password = await hashPassword(chosen, address)
  const changed = await asCommand(context.pool, async ({ db }) => {
    await endChange(db, account)
    if (!(await spendToken(db, realm, 'reset', value))) return { ok: false }
    await writePassword(db, account, password)
    if (form.get('passkeys') === 'remove') for (const { id } of passkeys) await removePasskey(db, account, id)
    if (form.get('second') === 'remove' && secondSince) await turnOffTotp(db, account)
    await spendTokensOf(db, realm, account.email)
    await endSessionsOf(db, context, account)
    await forgetAttempts(db, [{ quota: 'account', subject: `${realm}\n${account.email}` }])
    await notifyOwner(link, db, account, 'password')
    return { ok: true }
  })
  if (!changed.ok) return false
  const start = `${link.base}/interaction/${link.token.data.interaction}`
  // A link that the account page or an undone change has sent belongs to no sign-in, nor does one opened elsewhere or late.
  const hasInteraction = link.isSameBrowser && (await link.provider.Interaction.find(link.token.data.interaction)) !== undefined
  show(link, 200, {
    title: t('identity.reset.done-title'),
    alert: { severity: 'success', text: t('identity.reset.done') },
    blocks: hasInteraction ? [{ kind: 'next', href: start, label: t('identity.sign-in.title') }] : signInLinks(link),
  })
  return true
}
