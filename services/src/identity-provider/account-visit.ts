import type { Account } from './accounts.ts'
import type { Counted } from './attempts.ts'
import type { FieldModel, FormModel } from './pages/model.ts'
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

/** Guesses at the current password from an open session. */
export function passwordGuesses({ realm, id }: Account): Counted[] {
  return [{ quota: 'code', subject: `password\n${realm}\n${id}` }]
}
