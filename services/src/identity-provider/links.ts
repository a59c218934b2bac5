import { asCommand, newId } from '@purlin/server/foundation/platform/index.ts'
import { type Account, findAccount, insertAccount } from './accounts.ts'
import { answerChange, confirmEmail } from './email-links.ts'
import { newPasswordField, passwordProblem, type Problems, readRegistration, registrationFields } from './fields.ts'
import { redirect } from './http.ts'
import type { LinkData } from './mail-links.ts'
import type { Block } from './pages/model.ts'
import { countLinkForm } from './password-forms.ts'
import { hashPassword } from './password.ts'
import { type PendingAccount, accountOf } from './register-step.ts'
import type { Link } from './opened-link.ts'
import { resetPassword } from './reset-by-link.ts'
import { browserOf, issueTicket } from './tickets.ts'
import { type OneTimeToken, type Purpose, markOpened, peekToken, removeRegistrations, spendToken, spendTokensOf } from './tokens.ts'
import { undoEmail } from './undo-email.ts'
import { type PageRequest, type Visit, formFor, laterOf, ownForm, show, signInLinks, visitOf } from './visit.ts'
import type { Word } from './words.ts'

/** A link from a mail. Opening it shows a page without consuming the link, because mail scanners open links too; its button consumes it. */
export async function openLink(asked: PageRequest, value: string): Promise<void> {
  const { context, server, request } = asked
  const token = await peekToken<LinkData>(context.pool.db, server.realm, value)
  // A link that is no longer known carries its shop, and with it the language.
  const shop = token?.data.shop ?? new URL(request.url ?? '/', context.url).searchParams.get('shop')
  const visit = visitOf(asked, { uiLocales: token?.data.language, shop })
  if (!token || token.purpose === 'continue') return linkIsOld(visit)
  const isSameBrowser = token.data.browser !== undefined && token.data.browser === browserOf(asked)
  const form = await ownForm(asked)
  const refused = request.method === 'POST' && !form ? { refused: { status: 403 as const, text: visit.t('identity.form.old') } } : {}
  const link: Link = { ...visit, ...refused, value, token, isSameBrowser, form }
  try {
    await showOrUse(link)
  } catch (error) {
    await showOrUse({ ...link, refused: laterOf(visit, error), form: undefined, typed: form })
  }
}

/** Links that change an account. False when the link is worth nothing any more. */
const ofAccount: Partial<Record<Purpose, (link: Link, account: Account) => Promise<boolean>>> = {
  email: confirmEmail,
  'agree-email': answerChange,
  'undo-email': undoEmail,
  reset: resetPassword,
}

async function showOrUse(link: Link): Promise<void> {
  const { context, realm, token } = link
  if (token.purpose === 'register') return confirm(link, token as OneTimeToken<PendingAccount>)
  if (token.purpose === 'opened') return confirmAgain(link)
  const account = token.accountId ? await findAccount(context.pool.db, realm, token.accountId) : undefined
  if (!account) return linkIsOld(link)
  const use = ofAccount[token.purpose]
  if (use) return (await use(link, account)) ? undefined : linkIsOld(link)
  return signInByLink(link, account)
}

function linkIsOld(visit: Visit): void {
  const blocks: Block[] = [{ kind: 'text', text: visit.t('identity.link-old.text') }, ...signInLinks(visit)]
  show(visit, 410, { title: visit.t('identity.link-old.title'), blocks })
}

/**
 * Completes a registration. In the browser that registered, the button is enough. In another one it is unknown whether the person who
 * registered is the one who reads the mail: then the reader chooses the password and name, and what a stranger entered is discarded.
 */
async function confirm(link: Link, { data, email }: OneTimeToken<PendingAccount>): Promise<void> {
  const { context, realm, t, form, isSameBrowser, value, address } = link
  const keepsPassword = isSameBrowser && data.password !== null
  // An account may stay without a password: links and passkeys sign in too.
  const isOptional = isSameBrowser && data.password === null
  // The person who reads the mail in another browser neither sees nor keeps what was entered.
  const typed = form ?? link.typed ?? new URLSearchParams()
  typed.set('email', email)
  const { registration, problems } = isSameBrowser ? { registration: data.account, problems: {} } : readRegistration(link, typed)
  const page = (status: number, shown: Problems = {}) => {
    const entries = registrationFields(link, registration, shown).filter(({ name }) => name !== 'email' && name !== 'password')
    const password = newPasswordField(link, { problem: shown['password'], isOptional })
    show(link, status, {
      title: t('identity.confirm.title'),
      intro: t('identity.confirm.text', { email }),
      blocks: [
        ...(isSameBrowser ? [] : [{ kind: 'text' as const, text: t('identity.confirm.choose') }]),
        {
          kind: 'form',
          form: formFor(
            link,
            link.path,
            [...(isSameBrowser ? [] : entries), ...(keepsPassword ? [] : [password])],
            t('identity.confirm.submit'),
          ),
        },
      ],
    })
  }
  if (!form) return page(200)
  let password = keepsPassword ? data.password : null
  const chosen = form.get('password') ?? ''
  if (!keepsPassword && (chosen || !isOptional)) {
    await countLinkForm(link)
    const { givenName, familyName } = registration
    const problem = await passwordProblem(link, chosen, [givenName, familyName, email.split('@')[0] ?? ''])
    if (problem) problems['password'] = problem
  }
  if (Object.keys(problems).length > 0) return page(422, problems)
  if (!keepsPassword && chosen) password = await hashPassword(chosen, address)
  const account = accountOf(realm, newId(), { ...data, account: registration }, password)
  const opened = await asCommand(context.pool, async ({ db }) => {
    const ok = (await spendToken(db, realm, 'register', value)) && (await insertAccount(db, account))
    if (ok) {
      await markOpened(db, account, value)
      await spendTokensOf(db, realm, email)
      await removeRegistrations(db, realm, email)
    }
    return { ok }
  })
  if (!opened.ok) {
    const now = await peekToken<LinkData>(context.pool.db, realm, value)
    return now?.purpose === 'opened' ? confirmAgain({ ...link, token: now }) : linkIsOld(link)
  }
  return goOnAsNew(link, account)
}

/** The button pressed twice: the second request goes on like the first, in the browser that registered. */
async function confirmAgain(link: Link): Promise<void> {
  const { context, realm, token, form, isSameBrowser } = link
  const account = form && isSameBrowser && token.accountId ? await findAccount(context.pool.db, realm, token.accountId) : undefined
  return account ? goOnAsNew(link, account) : linkIsOld(link)
}

function goOnAsNew(link: Link, account: Account): Promise<void> {
  return goOn(link, account, [account.password ? 'pwd' : 'otp'], 'identity.ready.title', 'identity.ready.text')
}

/** Signs in only in the browser that requested the link: a forwarded link opens nothing, and signs nobody in to another's account. */
async function signInByLink(link: Link, account: Account): Promise<void> {
  const { context, realm, t, form, isSameBrowser, value } = link
  if (!isSameBrowser)
    return show(link, 200, { title: t('identity.by-mail.title'), blocks: [{ kind: 'text', text: t('identity.by-mail.other') }] })
  if (!form) {
    return show(link, 200, {
      title: t('identity.by-mail.title'),
      intro: t('identity.by-mail.text', { email: account.email }),
      blocks: [{ kind: 'form', form: formFor(link, link.path, [], t('identity.sign-in.submit')) }],
    })
  }
  if (!(await spendToken(context.pool.db, realm, 'link', value))) return linkIsOld(link)
  return goOn(link, account, ['otp'], 'identity.error.title', 'identity.error.text')
}

/** Returns to the interaction waiting in this browser; if there is none any more, explains how to continue. */
async function goOn(link: Link, account: Account, amr: string[], title: Word, text: Word): Promise<void> {
  const { realm, provider, isSameBrowser, token, t, base, response } = link
  const { browser, interaction } = token.data
  if (isSameBrowser && browser && (await provider.Interaction.find(interaction))) {
    const ticket = await issueTicket(link, { realm, accountId: account.id, email: account.email, browser, interaction, amr })
    return redirect(response, `${base}/interaction/${interaction}/continue/${ticket}`)
  }
  show(link, 200, { title: t(title), blocks: [{ kind: 'text', text: t(text) }, ...signInLinks(link)] })
}
