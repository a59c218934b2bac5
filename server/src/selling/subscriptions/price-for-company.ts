import { readCompany } from '#accounts'
import type { JobScope } from '#platform'
import { vatOf, vatRules } from '#pricing'
import { companyTaxOwner, readTaxRecord } from '#tax'
import { chargedVat, priceOf, treatmentOf, type SubscriptionPeriod } from './plan.ts'
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
  const confirmedVatNumber = record?.vatState === 'valid' ? record.vatNumber : null
  const treatment = treatmentOf(market, { country: company?.country ?? '', confirmedVatNumber })
  const rateBp = chargedVat(treatment) === 'charged' ? vatOf(rules, market, [], scope.now).rateBp : 0
  return { ...priceOf(market, period, rateBp), rateBp, treatment }
}
