import { isEmail, maxEmailLength } from '@purlin/contract/email.ts'
import { resetPasswordMail, signInLinkMail } from '@purlin/server/people/identity/index.ts'
import { findAccountByEmail, normalizeEmail } from './accounts.ts'
import { emailField } from './fields.ts'
import type { Interaction } from './pass-factors.ts'
import { linkDataOf, mayMail, sendLink, showMailSent } from './mail-links.ts'
import type { Block } from './pages/model.ts'
import { formFor, ownForm, show } from './visit.ts'
import type { Word } from './words.ts'

interface MailStep {
  path: string
  purpose: 'reset' | 'link'
  title: Word
  intro: Word
  template: typeof resetPasswordMail
}

const forgotten: MailStep = {
  path: 'forgotten',
  purpose: 'reset',
  title: 'identity.forgotten.title',
  intro: 'identity.forgotten.intro',
  template: resetPasswordMail,
}
const byMail: MailStep = {
  path: 'by-mail',
  purpose: 'link',
  title: 'identity.by-mail.title',
  intro: 'identity.by-mail.intro',
  template: signInLinkMail,
}

export const forgottenStep = (interaction: Interaction) => mailStep(interaction, forgotten)
export const byMailStep = (interaction: Interaction) => mailStep(interaction, byMail)
/** Asks for a sign-in link, from another page. */
export const byMailForm = (interaction: Interaction, email: string): Block => formOf(interaction, byMail, email)

/** Requests an address, and responds the same whether or not it has an account; the mail is written after the response. */
async function mailStep(interaction: Interaction, step: MailStep): Promise<void> {
  const { context, realm, request, response, t } = interaction
  if (request.method !== 'POST') return page(interaction, step, 200, '')
  const form = await ownForm(interaction)
  const email = normalizeEmail(form?.get('email') ?? '').slice(0, maxEmailLength + 1)
  if (!form) return page(interaction, step, 403, email, { problem: t('identity.form.old') })
  if (!isEmail(email)) return page(interaction, step, 422, email, { field: 'identity.wrong.email' })
  const refused = await mayMail(interaction, email, step.purpose)
  if (refused?.of === 'address') {
    response.setHeader('retry-after', String(refused.seconds))
    return page(interaction, step, 429, email, { problem: t('identity.sign-in.wait', { minutes: Math.ceil(refused.seconds / 60) }) })
  }
  if (!refused) {
    const data = linkDataOf(interaction)
    context.later(async () => {
      const account = await findAccountByEmail(context.pool.db, realm, email)
      if (account) await sendLink(interaction, { purpose: step.purpose, template: step.template, email, account, data })
    })
  }
  showMailSent(interaction, email, step.purpose, step.path)
}

function page(
  interaction: Interaction,
  step: MailStep,
  status: number,
  email: string,
  { field, problem }: { field?: Word; problem?: string } = {},
): void {
  const { t, start } = interaction
  show(interaction, status, {
    title: t(step.title),
    ...(!field && !problem && { intro: t(step.intro) }),
    ...(problem && { alert: { severity: 'danger', text: problem } }),
    blocks: [formOf(interaction, step, email, field), { kind: 'links', links: [{ href: start, label: t('identity.sign-in.title') }] }],
  })
}

function formOf(interaction: Interaction, { path }: MailStep, email: string, field?: Word): Block {
  const { t, start } = interaction
  const fields = [emailField(interaction, email, field)]
  return { kind: 'form', form: formFor(interaction, `${start}/${path}`, fields, t('identity.forgotten.submit')) }
}
