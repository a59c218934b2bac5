import { readMembers, type CompanyMember } from '#accounts'
import type { Db, Scope } from '#platform'
import type { Approval } from './approval-store.ts'
import { readBudgets } from './budget-store.ts'

/** An order, as those who approve it consider it. */
export interface ToApprove {
  companyId: string
  /** Its buyer. */
  customerId: string
  amount: number
  currency: string
}

/** Members who may decide about an order: approvers and admins but the buyer, within their own limit per order. */
export async function approversOf(db: Db, { companyId, customerId, amount, currency }: ToApprove): Promise<CompanyMember[]> {
  const [members, budgets] = await Promise.all([readMembers(db, companyId), readBudgets(db, companyId)])
  return members.filter(({ id, role }) => {
    if (id === customerId || (role !== 'admin' && role !== 'approver')) return false
    const own = budgets.find(({ kind, subjectId }) => kind === 'member' && subjectId === id)
    return !own || (own.currency === currency && (own.perOrder === null || own.perOrder >= amount))
  })
}

/** Whether this colleague may decide about an order. */
export async function mayApprove(db: Db, order: ToApprove, colleague: string): Promise<boolean> {
  return (await approversOf(db, order)).some(({ id }) => id === colleague)
}

/** Whether an approval may still be used: within its week, and as long as the approver could decide about it today. */
export async function isValid({ db, now }: Pick<Scope, 'db' | 'now'>, approval: Approval): Promise<boolean> {
  const { companyId, customerId, currency, decidedBy, total, approvedTotal, expiresAt } = approval
  const amount = Math.max(total, approvedTotal ?? total)
  return expiresAt > now && decidedBy !== null && mayApprove(db, { companyId, customerId, amount, currency }, decidedBy)
}
