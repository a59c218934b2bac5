import type { Db } from '#platform'
import { segmentsOf } from './segments.ts'
import { readKept } from './store.ts'

/** A customer's segments as experiments name them: "customer-value-high", "anti-churn". */
export async function namesHeld(db: Db, customerId: string): Promise<string[]> {
  const kept = await readKept(db, customerId)
  if (!kept) return []
  return Object.entries(segmentsOf(kept)).flatMap(([field, value]) => {
    if (value === null || value === false) return []
    const name = value === true ? field : `${field}-${value}`
    return name.toLowerCase().replaceAll('_', '-')
  })
}
