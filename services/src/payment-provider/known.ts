import { markets, type Intent } from './intent.ts'
import { testCards } from './demo-cards.ts'
import type { Store } from './store.ts'

/** Payments and cards from before this provider's first start: those of the demo's past. */
export interface Known {
  payments: readonly {
    id: string
    /** The shop's own id of it. */
    reference: string
    description: string
    market: string
    amount: number
    currency: string
    captured: number
    refunded: number
    card: { brand: string; last4: string } | null
    created: Date
  }[]
  customers: readonly {
    id: string
    reference: string
    defaultCard: string | null
    cards: readonly { id: string; last4: string; expiry: { year: number; month: number }; savedAt: Date }[]
  }[]
}

/** Adds missing data. An existing customer keeps their cards. */
export function learn(store: Store, { payments, customers }: Known): void {
  store.together(() => {
    for (const payment of payments) if (!store.intent(payment.id)) store.save(intentOf(payment))
    for (const { id, reference, defaultCard, cards } of customers) {
      if (store.customer(id)) continue
      store.saveCustomer({ id, reference, defaultCard })
      for (const { id: card, last4, expiry, savedAt } of cards) {
        const like = testCards.find(({ number }) => number.endsWith(last4))
        if (!like) continue
        const { brand, behaviour } = like
        store.saveCard({ id: card, customer: id, brand, behaviour, last4, expiry, savedAt: savedAt.getTime() })
      }
      store.saveCustomer({ id, reference, defaultCard })
    }
  })
}

function intentOf({ created, captured, refunded, market, ...known }: Known['payments'][number]): Intent {
  const status = captured === 0 ? 'voided' : refunded === 0 ? 'captured' : refunded < captured ? 'part_refunded' : 'refunded'
  return {
    ...known,
    status,
    captured,
    refunded,
    market: markets.find((each) => each === market) ?? 'gb',
    payLabel: '',
    returnUrl: '',
    frameOrigin: '',
    secret: '',
    failure: null,
    messages: null,
    captureDeclined: false,
    customer: null,
    keeping: null,
    challenge: null,
    created: created.getTime(),
  }
}
