import { companyOf, customerIdOf } from '#accounts'
import type { Scope } from '#platform'
import { segmentsOf, type KeptSegments, type Segments } from './segments.ts'
import { subscribedPeriod } from '#subscriptions'
import { readKept } from './store.ts'

const nothing: KeptSegments = { computed: {}, imported: {}, declared: {} }

/** The customer's own segments; null for guests and staff. Joining a company and its subscription take effect at once, the rest overnight. */
export async function showSegments(scope: Scope): Promise<Segments | null> {
  const customerId = customerIdOf(scope)
  if (customerId === null) return null
  const [found, b2b_subscription] = await Promise.all([readKept(scope.db, customerId), subscribedPeriod(scope)])
  const kept = found ?? nothing
  if (companyOf(scope) === null) return segmentsOf(kept)
  return {
    ...segmentsOf({ ...kept, computed: { ...kept.computed, b2b_subscription } }),
    b2b_intention: 'converted',
    b2b_suspected_pro: 'not-suspected-pro',
  }
}
