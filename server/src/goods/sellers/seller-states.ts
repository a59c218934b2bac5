import type { SellerStatus } from './seller.ts'

/** Steps of a seller, all taken by operators: application, check of identity, trade, measures, end. Source: R-486. */
const steps: Record<SellerStatus, readonly SellerStatus[]> = {
  applied: ['kyc_pending', 'closed'],
  kyc_pending: ['applied', 'active', 'closed'],
  active: ['restricted', 'suspended', 'closed'],
  restricted: ['active', 'suspended', 'closed'],
  suspended: ['active', 'restricted', 'closed'],
  closed: [],
}

export const sellerStatuses = [
  'applied',
  'kyc_pending',
  'active',
  'restricted',
  'suspended',
  'closed',
] as const satisfies readonly SellerStatus[]

export function mayMoveSeller(from: SellerStatus, to: SellerStatus): boolean {
  return steps[from].includes(to)
}
