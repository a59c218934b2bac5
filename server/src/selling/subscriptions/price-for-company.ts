import { readCompany } from '#accounts'
import type { JobScope } from '#platform'
import { serviceVat, vatRules } from '#pricing'
import { companyTaxOwner, readTaxRecord } from '#tax'
import { priceOf, type SubscriptionPeriod } from './plan.ts'
import type { Subscription } from './store.ts'

/** The price of a period today, with the VAT that the company is charged. */
export async function priceForCompany(
  scope: Pick<JobScope, 'db' | 'now'>,
  { companyId, market }: Pick<Subscription, 'companyId' | 'market'>,
  period: SubscriptionPeriod,
) {
  const [rules, company, record] = await Promise.all([
    vatRules(scope),
    readCompany(scope.db, companyId),
    readTaxRecord(scope.db, companyTaxOwner(companyId)),
  ])
  // Anybody may register a company: only a number that a register has confirmed shows where it is taxed (decision 055).
  const vatNumber = record?.vatState === 'valid' ? record.vatNumber : null
  const customer = { country: company?.country ?? '', vatNumber, isKnownBusiness: false }
  const vat = serviceVat(rules, market, customer, scope.now)
  return { ...priceOf(market, period, vat.rateBp), ...vat }
}
