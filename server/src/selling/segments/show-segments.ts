import { companyOf, customerIdOf } from '#accounts'
import type { Scope } from '#platform'
import { segmentsOf, type KeptSegments, type Segments } from './segments.ts'
import { readKept } from './store.ts'

const nothing: KeptSegments = { computed: {}, imported: {}, declared: {} }

/** The customer's own segments; null for guests and staff. Joining a company takes effect at once, the rest overnight. */
export async function showSegments(scope: Scope): Promise<Segments | null> {
  const customerId = customerIdOf(scope)
  if (customerId === null) return null
  const kept = (await readKept(scope.db, customerId)) ?? nothing
  if (companyOf(scope) === null) return segmentsOf(kept)
  return { ...segmentsOf(kept), b2b_intention: 'converted', b2b_suspected_pro: 'not-suspected-pro' }
}
