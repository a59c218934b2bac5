import { markets } from '@purlin/contract/markets.ts'
import { punchOutOf } from '#accounts'
import { hasChanges, loadPricedCart } from '#cart'
import { newId, type Scope } from '#platform'
import { decimal } from '#pricing'
import { basketItems } from './basket.ts'
import { orderMessage } from './cxml.ts'
import { ociFields, type Field } from './oci.ts'
import { findVisitOfSession, type StoredVisit } from './store.ts'

/** The visit of the principal's session; null for everybody who did not come from a purchasing system, and in other markets. */
async function visitOf(scope: Scope): Promise<StoredVisit | null> {
  const session = punchOutOf(scope)
  const visit = session === null ? undefined : await findVisitOfSession(scope.db, session)
  return visit?.credential.market === scope.market ? visit : null
}

/** The purchasing system that waits for the basket. */
export async function showReturn(scope: Scope): Promise<{ returnsTo: string } | null> {
  const visit = await visitOf(scope)
  return visit && { returnsTo: new URL(visit.hookUrl).host }
}

/** The basket as a form. The browser posts it, because the purchasing system knows its buyer by the browser's session. */
export async function showForm(scope: Scope): Promise<{ url: string; fields: Field[] } | null> {
  const visit = await visitOf(scope)
  if (!visit) return null
  const priced = await loadPricedCart(scope)
  // The basket goes back as the buyer saw it: changes are confirmed in the basket first.
  if (priced.cart.lines.length === 0 || hasChanges(priced)) return null
  return { url: visit.hookUrl, fields: fieldsOf(scope, visit, priced) }
}

function fieldsOf(scope: Scope, visit: StoredVisit, priced: Awaited<ReturnType<typeof loadPricedCart>>): Field[] {
  const { currency, language } = markets[scope.market]
  const items = basketItems(scope, priced)
  if (visit.credential.protocol === 'oci') return ociFields(items, currency, visit.echoed)
  const shopHost = new URL(scope.origin).host
  const document = orderMessage(
    { payloadId: `${newId()}@${shopHost}`, now: scope.now },
    {
      buyerCookie: visit.echoed['buyerCookie'] ?? '',
      identity: visit.credential.identity,
      shopHost,
      currency,
      language,
      items,
      total: decimal(priced.totals.net),
      tax: decimal(priced.totals.vat),
    },
  )
  // Base64 survives browsers of any encoding; both names are in the standard, and one of them must be sent.
  return [{ name: 'cxml-base64', value: Buffer.from(document, 'utf8').toString('base64') }]
}
