import { identitiesOf, readCustomer } from '#accounts'
import { sendMail } from '#mail'
import { settings, type JobScope, type LongContext } from '#platform'
import { cardExpiresMail } from './mails.ts'
import { brandName, expiryOf } from './saved-card.ts'
import { readExpiringCards } from './saved-card-store.ts'
import { paymentProvider } from './settings.ts'

const noticeDays = 30
const pageSize = 200

/** Writes to the owners of cards that expire within a month: one mail per card and expiry date, however often it runs. */
export async function remindOfExpiry(context: LongContext): Promise<void> {
  let after = typeof context.state === 'string' ? context.state : null
  for (;;) {
    const window = { provider: paymentProvider().name, after, now: context.now, days: noticeDays, limit: pageSize }
    const cards = await readExpiringCards(context.db, window)
    const last = cards.at(-1)
    if (!last) return
    after = last.id
    await context.checkpoint(after, async (scope) => {
      for (const card of cards) await remind(scope, card)
    })
  }
}

type Expiring = Awaited<ReturnType<typeof readExpiringCards>>[number]

async function remind(scope: JobScope, card: Expiring): Promise<void> {
  const [customer, identities] = await Promise.all([readCustomer(scope.db, card.customerId), identitiesOf(scope.db, card.customerId)])
  // A closed account that is being erased.
  if (!customer?.email.includes('@')) return
  const { market } = customer
  // Where the account is signed in to.
  const mode = identities.length > 0 && identities.every(({ issuer }) => issuer.endsWith('/b2b')) ? 'b2b' : 'b2c'
  await sendMail(scope, cardExpiresMail, {
    to: customer.email,
    site: { market, mode, origin: settings().hosts.site(market, mode).origin },
    payload: { brand: brandName(card.brand), last4: card.last4, expires: expiryOf(card) },
    key: `card-expires:${card.id}:${expiryOf(card)}`,
  })
}
