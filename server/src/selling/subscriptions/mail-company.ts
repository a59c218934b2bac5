import { readMembers } from '#accounts'
import { sendMail, type MailTemplate } from '#mail'
import type { JobScope } from '#platform'
import type { Charge } from './charge-store.ts'
import { chargedVat } from './plan.ts'
import { priceForCompany } from './price-for-company.ts'
import type { SubscriptionNews } from './mails.ts'
import type { Subscription } from './store.ts'

/**
 * Writes to those who may change the subscription; the same key never sends a second mail. A charge is named as it was made: today's
 * price may have other VAT.
 */
export async function mailCompany(
  scope: JobScope,
  subscription: Subscription,
  template: MailTemplate<SubscriptionNews>,
  key: string,
  { at = subscription.endedAt ?? subscription.dueAt, charge }: { at?: Date | null; charge?: Charge } = {},
): Promise<void> {
  const { market, origin, companyId, endReason } = subscription
  const period = subscription.nextPeriod ?? subscription.period
  const [members, { net, gross, currency, treatment }] = await Promise.all([
    readMembers(scope.db, companyId),
    charge ?? priceForCompany(scope, subscription, period),
  ])
  const payload: SubscriptionNews = {
    plan: period,
    net,
    gross,
    currency,
    vat: chargedVat(treatment),
    at: (at ?? scope.now).toISOString(),
    reason: endReason ?? 'cancelled',
  }
  for (const { id, email, role } of members)
    if (role === 'admin')
      await sendMail(scope, template, {
        to: email,
        site: { market, mode: 'b2b', origin },
        payload,
        key: `subscription:${template.name}:${key}:${id}`,
      })
}
