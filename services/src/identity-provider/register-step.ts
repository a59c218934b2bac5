import { maxEmailLength } from '@purlin/contract/email.ts'
import { confirmAddressMail, existingAccountMail } from '@purlin/server/people/identity/index.ts'
import { type Account, findAccountByEmail } from './accounts.ts'
import { type Problems, type Registration, passwordProblem, readRegistration, registrationFields } from './fields.ts'
import type { Interaction } from './pass-factors.ts'
import { type LinkData, linkDataOf, mayMail, sendLink, showMailSent } from './mail-links.ts'
import { hashPassword } from './password.ts'
import { countForm } from './password-forms.ts'
import { formFor, laterOf, ownForm, show, showError } from './visit.ts'

/** Pending registration; the account is created when the address is verified. */
export interface PendingAccount extends LinkData {
  account: Registration
  /** PHC string; null if a password or a passkey is chosen at verification. */
  password: string | null
}

const nothing: Registration = {
  email: '',
  givenName: '',
  familyName: '',
  companyName: null,
  trade: null,
  vatNumber: null,
  registerNumber: null,
  professionalRole: null,
}

/** Registration. For an address that already has an account the response and its timing are the same; its owner is notified by mail. */
export async function registerStep(interaction: Interaction): Promise<void> {
  const { realm, request, t } = interaction
  if (realm === 'staff') return showError(interaction, 404)
  if (request.method !== 'POST') {
    const { login_hint: hint } = interaction.details.params
    return page(interaction, 200, { ...nothing, email: typeof hint === 'string' ? hint.slice(0, maxEmailLength) : '' }, {})
  }
  const form = await ownForm(interaction)
  const { registration, problems } = readRegistration(interaction, form ?? new URLSearchParams())
  if (!form) return page(interaction, 403, registration, {}, t('identity.form.old'))
  const password = form.get('password') ?? ''
  try {
    await receive(interaction, registration, problems, password)
  } catch (error) {
    const { status, text } = laterOf(interaction, error)
    page(interaction, status, registration, {}, text)
  }
}

/** Counts the form by its network before the password is looked up and hashed. */
async function receive(interaction: Interaction, registration: Registration, problems: Problems, password: string): Promise<void> {
  const { context, realm, response, t, address } = interaction
  if (password) {
    await countForm(interaction)
    const about = [registration.givenName, registration.familyName, registration.email.split('@')[0] ?? '']
    const problem = await passwordProblem(interaction, password, about)
    if (problem) problems['password'] = problem
  }
  if (Object.keys(problems).length > 0) return page(interaction, 422, registration, problems)

  const { email } = registration
  const hash = password ? await hashPassword(password, address) : null
  const refused = await mayMail(interaction, email, 'register')
  if (refused?.of === 'address') {
    response.setHeader('retry-after', String(refused.seconds))
    return page(interaction, 429, registration, {}, t('identity.sign-in.wait', { minutes: Math.ceil(refused.seconds / 60) }))
  }
  if (!refused) {
    const data: PendingAccount = { ...linkDataOf(interaction), account: registration, password: hash }
    context.later(async () => {
      const known = await findAccountByEmail(context.pool.db, realm, email)
      if (known)
        await sendLink(interaction, {
          purpose: 'reset',
          template: existingAccountMail,
          email,
          account: known,
          data: linkDataOf(interaction),
        })
      else await sendLink(interaction, { purpose: 'register', template: confirmAddressMail, email, account: undefined, data })
    })
  }
  showMailSent(interaction, email, 'register', 'register')
}

function page(interaction: Interaction, status: number, typed: Registration, problems: Problems, problem?: string): void {
  const { t, realm, start } = interaction
  const action = `${start}/register`
  show(interaction, status, {
    title: t(realm === 'b2b' ? 'identity.register.title-pro' : 'identity.register.title'),
    ...(problem && { alert: { severity: 'danger', text: problem } }),
    blocks: [
      { kind: 'form', form: formFor(interaction, action, registrationFields(interaction, typed, problems), t('identity.register.submit')) },
      { kind: 'links', links: [{ href: start, label: t('identity.register.have-account') }] },
    ],
  })
}

/** Creates the account of a registration whose address has been verified. */
export function accountOf(realm: Account['realm'], id: string, { account, locale }: PendingAccount, password: string | null): Account {
  return { ...account, realm, id, password, locale, isDemo: false }
}
