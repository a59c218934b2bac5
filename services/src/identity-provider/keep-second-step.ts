import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import { type AccountVisit, accountForm, addressOf } from './account-visit.ts'
import { countAttempt, forgetAttempts } from './attempts.ts'
import { redirect } from './http.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Block } from './pages/model.ts'
import { useRecoveryCode, useTotp } from './second-factor.ts'
import { keepSecondStep, removalDueAt } from './second-step-removal.ts'
import { codeGuesses } from './second-step.ts'
import { show } from './visit.ts'

/**
 * Whoever is signed in is not asked for a code, and one signed in with a passkey has proved nothing about the app: the code is asked for here.
 */

/** The removal that staff have requested, its day, and a form that prevents it; nothing without one. */
export async function removalBlocks(visit: AccountVisit, problem?: string): Promise<Block[]> {
  const { context, account, t, site, language } = visit
  const dueAt = await removalDueAt(context.pool.db, account)
  if (!dueAt) return []
  const dates = dateFormat(site?.locale ?? language, { dateStyle: 'long', timeZone: site?.timeZone ?? 'UTC' })
  const code = {
    name: 'code',
    label: t('identity.removal.code'),
    autoComplete: 'one-time-code',
    maxLength: 40,
    ...(problem && { error: problem }),
  }
  return [
    { kind: 'heading', text: t('identity.removal.title') },
    { kind: 'text', text: t('identity.removal.text', { date: dates.format(dueAt) }) },
    { kind: 'form', form: accountForm(visit, 'second-step/keep', [code], 'identity.removal.keep') },
  ]
}

export async function keepSecond(visit: AccountVisit, sent: URLSearchParams | undefined): Promise<void> {
  const { context, account, t, response } = visit
  const { db } = context.pool
  const page = async (status: number, problem: string) =>
    show(visit, status, {
      title: t('identity.account.second'),
      blocks: [
        ...(await removalBlocks(visit, problem)),
        { kind: 'links', links: [{ href: addressOf(visit, ''), label: t('identity.account.title') }] },
      ],
    })
  if (!sent || !(await removalDueAt(db, account))) return redirect(response, addressOf(visit, ''))
  const wait = await countAttempt(db, codeGuesses(account))
  if (wait !== undefined) {
    response.setHeader('retry-after', String(wait))
    return page(429, t('identity.sign-in.wait', { minutes: Math.ceil(wait / 60) }))
  }
  const code = sent.get('code') ?? ''
  const isKept = await asCommand(context.pool, async (unit) => {
    const isOfApp = await useTotp(unit.db, context.factorKey, account, code)
    if (!isOfApp) {
      if (!(await useRecoveryCode(unit.db, account, code))) return false
      await notifyOwner(visit, unit.db, account, 'recovery')
    }
    await keepSecondStep(unit.db, account)
    return true
  })
  if (!isKept) return page(422, t('identity.removal.wrong'))
  await forgetAttempts(db, codeGuesses(account))
  redirect(response, addressOf(visit, '', { done: 'second-kept' }))
}
