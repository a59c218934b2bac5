import { customerIdOf } from '#accounts'
import { enqueue, isId, type Db, type JobScope, type Scope } from '#platform'
import { keepDefault, tellPreference } from './card-jobs.ts'
import { cardState, type KeptCard, type SavedCard } from './saved-card.ts'
import { forgetCards, readCards, removeCard, takeCardTurn, writeDefaultCard } from './saved-card-store.ts'
import { paymentProvider } from './settings.ts'

export const cardRefusals = ['unknown-card', 'card-expired'] as const
export type CardRefusal = (typeof cardRefusals)[number]
export type CardChange = { ok: true } | { ok: false; reason: CardRefusal }

/** The principal's saved cards, the default first. */
export async function listCards(scope: Scope): Promise<KeptCard[]> {
  const customerId = customerIdOf(scope)
  return customerId === null ? [] : readCards(scope.db, customerId, paymentProvider().name)
}

/** The same for the customer's own copy of their data: without the provider's tokens. */
export async function readSavedCards(db: Db, customerId: string): Promise<SavedCard[]> {
  return (await readCards(db, customerId, paymentProvider().name)).map(({ reference: _, ...card }) => card)
}

/** The card a purchase would be paid with at once: the default one, unless it has expired. */
export async function findPayingCard(scope: Scope): Promise<KeptCard | undefined> {
  const card = (await listCards(scope)).find(({ isDefault }) => isDefault)
  return card && cardState(card, scope.now) !== 'expired' ? card : undefined
}

/** Offers this card first from now on. */
export async function preferCard(scope: Scope, id: string): Promise<CardChange> {
  const customerId = customerIdOf(scope)
  if (customerId === null || !isId(id)) return { ok: false, reason: 'unknown-card' }
  await takeCardTurn(scope.db, customerId)
  const card = (await listCards(scope)).find((each) => each.id === id)
  if (!card) return { ok: false, reason: 'unknown-card' }
  if (cardState(card, scope.now) === 'expired') return { ok: false, reason: 'card-expired' }
  await writeDefaultCard(scope.db, customerId, paymentProvider().name, id)
  await tellPreference(scope.db, customerId)
  return { ok: true }
}

/** Deletes a card, here at once and then at the provider. Its defaults pass to the newest remaining one. */
export async function dropCard(scope: Scope, id: string): Promise<CardChange> {
  const customerId = customerIdOf(scope)
  if (customerId === null || !isId(id)) return { ok: false, reason: 'unknown-card' }
  await takeCardTurn(scope.db, customerId)
  const card = (await listCards(scope)).find((each) => each.id === id)
  if (!card || !(await removeCard(scope.db, customerId, id))) return { ok: false, reason: 'unknown-card' }
  const { reference } = card
  await enqueue(scope.db, { name: 'payments.detach-card', key: reference, payload: { reference } })
  await keepDefault(scope.db, customerId)
  return { ok: true }
}

/** Of somebody whose account is erased nothing stays, neither here nor at the provider. */
export async function removeCardsOf({ db }: Pick<JobScope, 'db'>, customerId: string): Promise<void> {
  for (const customer of await forgetCards(db, customerId)) await deleteProviderCustomer(db, customer)
}

/** Deletes a customer with their cards at the provider, if it is the present one. */
export async function deleteProviderCustomer(db: Db, { provider, reference }: { provider: string; reference: string }): Promise<void> {
  if (provider === paymentProvider().name) await enqueue(db, { name: 'payments.delete-customer', key: reference, payload: { reference } })
}
