import type { Account } from './accounts.ts'
import { type Counted, countAttempt, forgetAttempts, unlessBusy } from './attempts.ts'
import type { FieldModel, FormModel } from './pages/model.ts'
import { countForm } from './password-forms.ts'
import { verifyPassword } from './password.ts'
import { type Visit, formFor } from './visit.ts'
import type { Word } from './words.ts'

/** An account holder who has signed in at the provider within the last minutes, at their own account. */
export interface AccountVisit extends Visit {
  account: Account
  /** The provider's session; tells this device from the others. */
  uid: string
  home: string
}

/** Forms and links keep the shop the visitor came from. */
export function addressOf({ home, site }: AccountVisit, step: string, more: Record<string, string> = {}): string {
  const params = new URLSearchParams({ ...(site && { shop: site.origin }), ...more }).toString()
  return `${home}${step && `/${step}`}${params && `?${params}`}`
}

export function accountForm(
  visit: AccountVisit,
  step: string,
  fields: FieldModel[],
  submit: Word,
  more: Partial<FormModel> = {},
): FormModel {
  return formFor(visit, addressOf(visit, step), fields, visit.t(submit), more)
}

/** A step that cannot be undone: its button, which names what is meant, appears below the consequences. */
export function askedForm(
  visit: AccountVisit,
  step: string,
  hidden: Record<string, string>,
  submit: string,
  first: { label: string; text: string },
): FormModel {
  return formFor(visit, addressOf(visit, step), [], submit, { look: 'danger', hidden, first: { ...first, name: submit } })
}

/**
 * Whether this is the current password, if the account has one: counted by network, then by account, before it is verified.
 * @throws LaterError
 */
export async function checkPassword(
  visit: Pick<AccountVisit, 'context' | 'address' | 'account'>,
  typed: string,
): Promise<{ isRight: boolean; waitSeconds?: number }> {
  const { context, address, account } = visit
  const { db } = context.pool
  const counted = passwordGuesses(account)
  await countForm(visit)
  const waitSeconds = await countAttempt(db, counted)
  if (waitSeconds !== undefined) return { isRight: false, waitSeconds }
  const { password } = account
  const isRight = password === null || (await unlessBusy(db, counted, () => verifyPassword(typed, password, address)))
  if (isRight) await forgetAttempts(db, counted)
  return { isRight }
}

/** Guesses at the current password from an open session. */
export function passwordGuesses({ realm, id }: Account): Counted[] {
  return [{ quota: 'code', subject: `password\n${realm}\n${id}` }]
}
