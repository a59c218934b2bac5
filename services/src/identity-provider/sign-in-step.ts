import { maxEmailLength } from '@purlin/contract/email.ts'
import { type Interaction, passFirstFactor } from './pass-factors.ts'
import { emailField, type Problems } from './fields.ts'
import { byMailForm } from './mail-steps.ts'
import type { Block, PageModel } from './pages/model.ts'
import { maxPasswordLength } from './password.ts'
import { passkeySignIn } from './passkey-step.ts'
import { signIn } from './sign-in.ts'
import { formFor, laterOf, ownForm, show, textOf } from './visit.ts'

/** Address and password; alternatives for people without a password. */
export async function signInStep(interaction: Interaction): Promise<void> {
  const { context, request, t, details } = interaction
  if (request.method !== 'POST') {
    const hint = details.params['login_hint']
    const hasFailed = new URL(request.url ?? '/', context.url).searchParams.get('passkey') === 'failed'
    const failed = hasFailed ? t('identity.sign-in.passkey-failed') : undefined
    return page(interaction, 200, typeof hint === 'string' ? hint.slice(0, maxEmailLength) : '', failed)
  }
  const form = await ownForm(interaction)
  if (!form) return page(interaction, 403, '', t('identity.form.old'))
  const email = textOf(form, 'email', maxEmailLength)
  const password = form.get('password') ?? ''
  const missing: Problems = {
    ...(email.trim() === '' && { email: 'identity.wrong.required' }),
    ...(password === '' && { password: 'identity.wrong.required' }),
  }
  if (Object.keys(missing).length > 0) return page(interaction, 422, email, undefined, missing)
  try {
    const result = await signIn(interaction, { email, password })
    if (result.ok) return await passFirstFactor(interaction, result.account, ['pwd'])
    if (result.waitSeconds === undefined) return await page(interaction, 401, email, t('identity.sign-in.wrong'))
    interaction.response.setHeader('retry-after', String(result.waitSeconds))
    if (result.instead) return await linkInstead(interaction, email)
    return await page(interaction, 429, email, t('identity.sign-in.wait', { minutes: Math.ceil(result.waitSeconds / 60) }))
  } catch (error) {
    const { status, text } = laterOf(interaction, error)
    return page(interaction, status, email, text)
  }
}

/** Too many passwords are wrong in the whole realm: an unknown browser gets a link in a mail, or uses a passkey. */
async function linkInstead(interaction: Interaction, email: string): Promise<void> {
  const { t } = interaction
  const blocks = [byMailForm(interaction, email), await passkeySignIn(interaction)]
  const text = t('identity.sign-in.link-instead')
  show(interaction, 429, { title: t('identity.by-mail.title'), alert: { severity: 'info', text }, blocks })
}

async function page(interaction: Interaction, status: number, email: string, problem?: string, problems: Problems = {}): Promise<void> {
  const { t, realm, start } = interaction
  const title = t(
    realm === 'staff' ? 'identity.sign-in.title-staff' : realm === 'b2b' ? 'identity.sign-in.title-pro' : 'identity.sign-in.title',
  )
  const password = {
    name: 'password',
    label: t('identity.field.password'),
    type: 'password',
    autoComplete: 'current-password',
    maxLength: maxPasswordLength,
    ...(problems['password'] && { error: t(problems['password']) }),
  } as const
  const links = [
    { href: `${start}/forgotten`, label: t('identity.sign-in.forgotten') },
    { href: `${start}/by-mail`, label: t('identity.sign-in.by-mail') },
    ...(realm === 'staff' ? [] : [{ href: `${start}/register`, label: t('identity.sign-in.register') }]),
  ]
  const alert: Partial<Pick<PageModel, 'alert'>> = problem ? { alert: { severity: 'danger', text: problem } } : {}
  const blocks: Block[] = [
    {
      kind: 'form',
      form: formFor(interaction, start, [emailField(interaction, email, problems['email']), password], t('identity.sign-in.submit')),
    },
    await passkeySignIn(interaction),
    { kind: 'links', links },
  ]
  show(interaction, status, { title, ...alert, blocks })
}
