import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { countAttempt, forgetAttempts, type Counted } from './attempts.ts'
import type { Account } from './accounts.ts'
import { redirect } from './http.ts'
import { type Interaction, complete, firstFactorOf } from './pass-factors.ts'
import { notifyOwner } from './notify-owner.ts'
import type { FieldModel } from './pages/model.ts'
import {
  codeNow,
  enrollmentOf,
  hasSecondFactor,
  newRecoveryCodes,
  newTotpSecret,
  stepOf,
  totpSecretOf,
  turnOnTotp,
  useRecoveryCode,
  useTotp,
} from './second-factor.ts'
import { keepSecondStep } from './second-step-removal.ts'
import { formFor, ownForm, show, showError, type Visit } from './visit.ts'
import type { Word } from './words.ts'

export function codeField({ t }: Visit, problem?: string): FieldModel {
  return {
    name: 'code',
    label: t('identity.field.code'),
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    width: 'short',
    maxLength: 9,
    ...(problem && { error: problem }),
  }
}

/** Codes are short enough to be guessed: attempts are counted per account, whoever tries. */
export const codeGuesses = ({ realm, id }: Account): Counted[] => [{ quota: 'code', subject: `${realm}\n${id}` }]

/** The code of an authenticator app. */
export async function secondStep(interaction: Interaction): Promise<void> {
  const { context, t, start } = interaction
  const first = await firstFactorOf(interaction)
  if (!first) return redirect(interaction.response, start)
  const { account, amr } = first
  const { db } = context.pool
  const secret = account.isDemo ? await totpSecretOf(db, context.factorKey, account) : undefined
  const page = (status: number, problem?: string) =>
    show(interaction, status, {
      title: t('identity.second.title'),
      intro: t('identity.second.intro'),
      ...(secret && { alert: { severity: 'info' as const, text: t('identity.second.demo', { code: codeNow(secret) }) } }),
      blocks: [
        { kind: 'form', form: formFor(interaction, `${start}/second`, [codeField(interaction, problem)], t('identity.second.submit')) },
        {
          kind: 'links',
          links: [
            { href: `${start}/recovery`, label: t('identity.second.lost') },
            { href: start, label: t('identity.second.other') },
          ],
        },
      ],
    })
  return check(interaction, { account, page, wrong: 'identity.wrong.code' }, async (form) => {
    if (!(await useTotp(db, context.factorKey, account, form.get('code') ?? ''))) return false
    await keepSecondStep(db, account)
    await complete(interaction, account, [...amr, 'otp', 'mfa'])
    return true
  })
}

export async function recoveryStep(interaction: Interaction): Promise<void> {
  const { context, t, start } = interaction
  const first = await firstFactorOf(interaction)
  if (!first) return redirect(interaction.response, start)
  const { account, amr } = first
  const page = (status: number, problem?: string) => {
    const field = {
      name: 'code',
      label: t('identity.field.recovery'),
      autoComplete: 'off',
      maxLength: 40,
      ...(problem && { error: problem }),
    }
    show(interaction, status, {
      title: t('identity.field.recovery'),
      intro: t('identity.second.recovery-intro'),
      blocks: [
        { kind: 'form', form: formFor(interaction, `${start}/recovery`, [field], t('identity.second.submit')) },
        { kind: 'links', links: [{ href: `${start}/second`, label: t('identity.second.app') }] },
      ],
    })
  }
  return check(interaction, { account, page, wrong: 'identity.wrong.recovery' }, async (form) => {
    if (!(await useRecoveryCode(context.pool.db, account, form.get('code') ?? ''))) return false
    await keepSecondStep(context.pool.db, account)
    await notifyOwner(interaction, context.pool.db, account, 'recovery')
    await complete(interaction, account, [...amr, 'mfa'])
    return true
  })
}

/** Counts the attempt, checks the code, and shows the page again if it is wrong. */
async function check(
  interaction: Interaction,
  { account, page, wrong }: { account: Account; page: (status: number, problem?: string) => void; wrong: Word },
  isRight: (form: URLSearchParams) => Promise<boolean>,
): Promise<void> {
  const { context, t, request, response } = interaction
  if (request.method !== 'POST') return page(200)
  const form = await ownForm(interaction)
  if (!form) return page(403, t('identity.form.old'))
  const wait = await countAttempt(context.pool.db, codeGuesses(account))
  if (wait !== undefined) {
    response.setHeader('retry-after', String(wait))
    return page(429, t('identity.sign-in.wait', { minutes: Math.ceil(wait / 60) }))
  }
  if (!(await isRight(form))) return page(401, t(wrong))
  await forgetAttempts(context.pool.db, codeGuesses(account))
}

/** An account that must have a second factor but has none: sets one up, shows the recovery codes, then continues. */
export async function enroll(interaction: Interaction): Promise<void> {
  const { context, details, t, start, request, response } = interaction
  const first = await firstFactorOf(interaction)
  if (!first) return redirect(response, start)
  const { account, amr } = first
  const { lastSubmission = {} } = details
  const done = typeof lastSubmission['enrolled'] === 'string'
  if (!done && (await hasSecondFactor(context.pool.db, account))) return redirect(response, `${start}/second`)
  const form = await ownForm(interaction)
  if (done) {
    if (!form) return showError(interaction, request.method === 'POST' ? 403 : 400)
    return complete(interaction, account, [...amr, 'otp', 'mfa'])
  }
  let secret = typeof lastSubmission['secret'] === 'string' ? lastSubmission['secret'] : undefined
  if (!secret) {
    secret = newTotpSecret()
    details.lastSubmission = { ...lastSubmission, secret }
    await details.persist()
  }
  const action = `${start}/set-up`
  const problem = request.method === 'POST' ? t(form ? 'identity.wrong.code' : 'identity.form.old') : undefined
  const step = form && stepOf(secret, form.get('code') ?? '')
  if (!step) {
    const { grouped, svg } = enrollmentOf(secret, account.email)
    return show(interaction, problem ? 401 : 200, {
      title: t('identity.enroll.title'),
      alert: { severity: 'info', text: t('identity.enroll.required') },
      intro: t('identity.enroll.intro'),
      blocks: [
        { kind: 'secret', label: t('identity.enroll.key'), value: grouped, qr: { svg, label: t('identity.enroll.qr') } },
        { kind: 'form', form: formFor(interaction, action, [codeField(interaction, problem)], t('identity.enroll.submit')) },
      ],
    })
  }
  const codes = await asCommand(context.pool, async ({ db }) => {
    await turnOnTotp(db, context.factorKey, account, { secret, step })
    await notifyOwner(interaction, db, account, 'second-on')
    return newRecoveryCodes(db, account)
  })
  details.lastSubmission = { ...lastSubmission, enrolled: 'yes' }
  await details.persist()
  show(interaction, 200, {
    title: t('identity.codes.title'),
    intro: t('identity.codes.text'),
    blocks: [
      { kind: 'codes', codes },
      { kind: 'form', form: formFor(interaction, action, [], t('identity.codes.submit')) },
    ],
  })
}
