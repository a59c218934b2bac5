import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { applyChange, sendNews } from './apply-change.ts'
import { type Account, normalizeEmail } from './accounts.ts'
import type { Link } from './opened-link.ts'
import type { FieldModel } from './pages/model.ts'
import { countLinkForm } from './password-forms.ts'
import { endChange, lockChange, noteAgreed, noteConfirmed, pendingChange } from './pending-change.ts'
import { spendToken } from './tokens.ts'
import { type PageParts, formFor, show, signInLinks } from './visit.ts'

/** The two links of a change of address. They work in every browser: whoever confirms on a phone has not always asked for it there. */

/** The outcome of a link that was still good; `taken`: the new address has an account of its own by now. */
type Outcome =
  | { ok: false }
  | { ok: true; outcome: 'waits' | 'changed' | 'taken'; email: string }
  /** `isMailed`: the new address has been sent its link. */
  | { ok: true; outcome: 'refused'; email: string; isMailed: boolean }

/**
 * The new address confirms the change: in the browser that requested it by a button, in another one together with the present address,
 * which a stranger whose address was entered does not know. False when the link is worth nothing any more.
 */
export async function confirmEmail(link: Link, account: Account): Promise<boolean> {
  const { context, realm, t, form, typed, isSameBrowser, value } = link
  const { email } = link.token
  const page = (status: number, error?: string): true => {
    const present: FieldModel = {
      name: 'present',
      label: t('identity.field.present-email'),
      type: 'email',
      autoComplete: 'email',
      value: (form ?? typed)?.get('present') ?? '',
      ...(error && { error }),
    }
    const submit = formFor(link, link.path, isSameBrowser ? [] : [present], t('identity.email.confirm-submit'))
    show(link, status, {
      title: t('identity.email.confirm-title'),
      intro: t('identity.email.confirm', { email }),
      blocks: [...(isSameBrowser ? [] : [{ kind: 'text' as const, text: t('identity.email.elsewhere') }]), { kind: 'form', form: submit }],
    })
    return true
  }
  if (!form) return page(200)
  if (!isSameBrowser) {
    await countLinkForm(link)
    if (normalizeEmail(form.get('present') ?? '') !== account.email) return page(422, t('identity.wrong.present-email'))
  }
  const done = await asCommand(context.pool, async ({ db }): Promise<Outcome> => {
    const change = await lockChange(db, account)
    if (change?.email !== email || !(await spendToken(db, realm, 'email', value))) return { ok: false }
    await noteConfirmed(db, account)
    if (!change.agreedAt) return { ok: true, outcome: 'waits', email }
    return { ok: true, outcome: (await applyChange(link, db, account, change)) ? 'changed' : 'taken', email }
  })
  return showOutcome(link, done, () => ({
    title: t('identity.email.confirmed-title'),
    alert: { severity: 'success', text: t('identity.email.confirmed') },
    blocks: signInLinks(link),
  }))
}

/** The present address agrees to the change or refuses it. False when the link is worth nothing any more. */
export async function answerChange(link: Link, account: Account): Promise<boolean> {
  const { context, realm, t, form, value, request } = link
  const answer = form?.get('answer')
  if (answer !== 'agree' && answer !== 'refuse') {
    const change = await pendingChange(context.pool.db, account)
    if (!change) return false
    const submits = [
      formFor(link, link.path, [], t('identity.email.agree-submit'), { hidden: { answer: 'agree' } }),
      formFor(link, link.path, [], t('identity.email.refuse-submit'), { hidden: { answer: 'refuse' }, look: 'danger' }),
    ]
    // The link of the mail that was followed decides which button comes first.
    if (new URL(request.url ?? '/', context.url).searchParams.get('answer') === 'refuse') submits.reverse()
    show(link, 200, {
      title: t('identity.email.answer-title'),
      intro: t('identity.email.answer', { email: change.email }),
      blocks: submits.map((submit) => ({ kind: 'form' as const, form: submit })),
    })
    return true
  }
  const done = await asCommand(context.pool, async ({ db }): Promise<Outcome> => {
    const change = await lockChange(db, account)
    if (!change || !(await spendToken(db, realm, 'agree-email', value))) return { ok: false }
    const { email } = change
    if (answer === 'refuse') {
      const isMailed = (await endChange(db, account)) || change.confirmedAt !== null
      await sendNews(link, db, account, account.email, 'refused')
      return { ok: true, outcome: 'refused', email, isMailed }
    }
    await noteAgreed(db, account)
    if (!change.confirmedAt) return { ok: true, outcome: 'waits', email }
    return { ok: true, outcome: (await applyChange(link, db, account, change)) ? 'changed' : 'taken', email }
  })
  // After the response, whose time would tell that the new address has no account.
  if (done.ok && done.outcome === 'refused' && done.isMailed)
    context.later(() => asCommand(context.pool, ({ db }) => sendNews(link, db, account, done.email, 'refused')))
  return showOutcome(link, done, (email) => ({
    title: t('identity.email.agreed-title'),
    alert: { severity: 'success', text: t('identity.email.agreed', { email }) },
    blocks: signInLinks(link),
  }))
}

function showOutcome(link: Link, done: Outcome, waiting: (email: string) => PageParts): boolean {
  const { t } = link
  if (!done.ok || done.outcome === 'taken') return false
  if (done.outcome === 'waits') {
    show(link, 200, waiting(done.email))
    return true
  }
  show(link, 200, {
    title: t(done.outcome === 'changed' ? 'identity.email.done-title' : 'identity.email.refused-title'),
    alert: {
      severity: 'success',
      text:
        done.outcome === 'changed'
          ? t('identity.email.done', { email: done.email })
          : t('identity.email.refused', { email: link.token.email }),
    },
    blocks: signInLinks(link),
  })
  return true
}
