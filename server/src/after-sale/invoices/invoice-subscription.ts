import { markets } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import { readCompany } from '#accounts'
import type { EventPayloads } from '#events'
import type { Db } from '#platform'
import { localDay } from '#pricing'
import { companyTaxOwner, readTaxRecord } from '#tax'
import { sumUp, type InvoiceLine, type Party } from './invoice.ts'
import { issue, type Issuing } from './issue-invoice.ts'
import { noDetails, platformParty } from './parties.ts'
import { readInvoiceFor, type Invoice } from './store.ts'
import { serviceCategoryOf } from './tax-treatment.ts'

type Charged = EventPayloads['subscription.charged']

/** Marks invoices that no seller has a part in. */
const noSeller = 0

const sourceOf = (chargeId: string): string => `subscription:${chargeId}`

/** Issues the marketplace's invoice for a paid period of a subscription, once per charge. */
export async function invoiceSubscription(scope: Issuing, charged: Charged): Promise<Invoice | undefined> {
  const { db } = scope
  const { market, currency, customerId, companyId, treatment } = charged
  const day = localDay(market, scope.now)
  const buyer = await companyParty(db, companyId)
  return issue(scope, { issuer: 'platform', kind: 'sale', day }, async () => {
    if (await readInvoiceFor(db, sourceOf(charged.chargeId))) return undefined
    const line = lineOf(charged)
    return {
      ...placed,
      source: sourceOf(charged.chargeId),
      owner: `c:${customerId}`,
      companyId,
      document: {
        kind: 'sale',
        issuedOn: day,
        suppliedOn: day,
        market,
        currency,
        treatment,
        byMandate: false,
        seller: platformParty(market),
        buyer,
        deliverTo: null,
        orderId: null,
        sellerOrderId: null,
        lines: [line],
        charges: [],
        ...sumUp([line], [], true),
        credits: null,
      },
    }
  })
}

const placed = { sellerId: noSeller, customerOrderId: null, sellerOrderId: null, commission: 0, commissionVat: 0 } as const

/** Credits a period that was paid back in full. */
export async function creditSubscription(scope: Issuing, chargeId: string): Promise<Invoice | undefined> {
  const sold = await readInvoiceFor(scope.db, sourceOf(chargeId))
  // Both events of a charge are delivered in order: without an invoice this is retried.
  if (!sold) throw new Error(`The charge ${chargeId} has no invoice to credit`)
  const day = localDay(sold.market, scope.now)
  return issue(scope, { issuer: 'platform', kind: 'credit-note', day }, async () => {
    const source = `subscription-refund:${chargeId}`
    if (await readInvoiceFor(scope.db, source)) return undefined
    const credits = { number: sold.number, issuedOn: sold.document.issuedOn }
    const document = { ...sold.document, kind: 'credit-note', issuedOn: day, credits } as const
    return { ...placed, source, owner: sold.owner, companyId: sold.companyId, document }
  })
}

function lineOf({ chargeId, market, period, net, vat, gross, rateBp, treatment, periodStart, periodEnd }: Charged): InvoiceLine {
  const { locale, timeZone } = markets[market]
  const format = dateFormat(locale, { dateStyle: 'medium', timeZone })
  const dates = { from: format.format(new Date(periodStart)), until: format.format(new Date(periodEnd)) }
  const title = wordsFor(market)('invoice.pdf.subscription', { period: period === 'yearly' ? period : 'other', ...dates })
  const category = serviceCategoryOf(treatment)
  return { id: chargeId, title, quantity: 1, listNet: net, discountNet: 0, net, vat, gross, rateBp, category }
}

/** The company as its tax information names it. */
async function companyParty(db: Db, companyId: string): Promise<Party> {
  const [company, record] = await Promise.all([readCompany(db, companyId), readTaxRecord(db, companyTaxOwner(companyId))])
  const name = record?.legalName ?? company?.name ?? ''
  const { line1, line2 = null, postcode, city, country, vatNumber = null, fiscalNumber = null, sdiCode = null, pec = null } = record ?? {}
  const place = { line1: line1 ?? '', line2, postcode: postcode ?? '', city: city ?? '', country: country ?? company?.country ?? '' }
  return { ...noDetails, name, legalName: name, ...place, vatNumber, fiscalNumber, sdiCode, pec }
}
