import { enqueue, job, newId, type Db } from '#platform'
import type { ProviderCard } from './provider.ts'
import { mirrorCards, readCards, readProviderCustomer, takeCardTurn, writeDefaultCard } from './saved-card-store.ts'
import { paymentProvider } from './settings.ts'

interface Refreshed {
  cards: ProviderCard[]
}
interface Preference {
  customerId: string
  /** Distinguishes this change from others to the same card. */
  change: string
}

/** Provider calls about saved cards. */
export const cardJobs = [
  job<{ customerId: string }, Refreshed | null>('payments.refresh-cards', {
    call: async ({ db, signal }, { customerId }) => {
      const customer = await readProviderCustomer(db, customerId, paymentProvider().name)
      return customer === undefined ? null : { cards: await paymentProvider().listCards(customer, { signal }) }
    },
    commit: async ({ db }, { customerId }, refreshed) => {
      // The account may have been closed since.
      if (!refreshed || (await readProviderCustomer(db, customerId, paymentProvider().name)) === undefined) return
      await takeCardTurn(db, customerId)
      await mirrorCards(db, customerId, paymentProvider().name, refreshed.cards)
      await keepDefault(db, customerId)
    },
  }),
  job<Preference>('payments.prefer-card', {
    // Reads the current state: of two changes the last one wins, in whatever order they are delivered.
    call: async ({ db, signal }, { customerId, change }) => {
      const provider = paymentProvider()
      const customer = await readProviderCustomer(db, customerId, provider.name)
      const card = (await readCards(db, customerId, provider.name)).find(({ isDefault }) => isDefault)
      if (customer !== undefined && card)
        await provider.preferCard(customer, card.reference, { key: `prefer-${change}-${card.id}`, signal })
    },
    commit: async () => undefined,
  }),
  job<{ reference: string }, void>('payments.detach-card', {
    call: ({ signal }, { reference }) => paymentProvider().detachCard(reference, { key: `detach-${reference}`, signal }),
    commit: async () => undefined,
  }),
  job<{ reference: string }, void>('payments.delete-customer', {
    call: ({ signal }, { reference }) => paymentProvider().deleteCustomer(reference, { key: `delete-${reference}`, signal }),
    commit: async () => undefined,
  }),
]

/** A customer with cards always has a default: if missing, the newest becomes it, here and at the provider. */
export async function keepDefault(db: Db, customerId: string): Promise<void> {
  const provider = paymentProvider().name
  const cards = await readCards(db, customerId, provider)
  const [newest] = cards
  if (!newest || cards.some(({ isDefault }) => isDefault)) return
  await writeDefaultCard(db, customerId, provider, newest.id)
  await tellPreference(db, customerId)
}

export async function tellPreference(db: Db, customerId: string): Promise<void> {
  await enqueue(db, { name: 'payments.prefer-card', key: customerId, payload: { customerId, change: newId() } satisfies Preference })
}
