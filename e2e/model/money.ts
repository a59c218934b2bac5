import assert from 'node:assert/strict'
import type { SellerOrder } from '@purlin/server/selling/orders/index.ts'
import { refundEntries, type RefundDue } from '@purlin/server/selling/refunds/refund-rule.ts'
import type { Given } from './papers.ts'

/** Bookings of a sale, under the model's names of accounts and independent of the shop's code. */
export function accountsOfSale({
  total,
  discount,
  sellerDiscount,
  commission,
  commissionVat,
  withheldVat,
}: SellerOrder): Record<string, number> {
  const coupon = discount - sellerDiscount
  const withheld = withheldVat ?? 0
  return {
    provider: total,
    coupons: coupon,
    seller: -(total + coupon - commission - commissionVat - withheld),
    commission: -commission,
    vat: -commissionVat,
    withheld: -withheld,
  }
}

/** Bookings of a refund by the shop's rules; `before` is the amount refunded earlier at the seller's cost. */
export function accountsOfRefund(
  part: SellerOrder,
  before: number,
  { amount, recovered }: Pick<RefundDue, 'amount' | 'recovered'>,
  bornBy: Given['bornBy'],
): Record<string, number> {
  if (bornBy === 'marketplace') return { provider: -amount, goodwill: amount }
  const names: Record<string, string> = {
    'refunds-due': 'provider',
    [`seller:${part.sellerId}`]: 'seller',
    'vat-on-commission': 'vat',
    'vat-on-sales': 'withheld',
  }
  return Object.fromEntries(
    refundEntries(part, before, amount, recovered).map((entry) => [names[entry.account] ?? entry.account, entry.amount]),
  )
}

/** The books after a sale whose whole price has gone back, at the seller's cost. */
export function checkNothingIsLeft(
  accounts: ReadonlyMap<string, number>,
  { commission, commissionVat, withheldVat }: Pick<SellerOrder, 'commission' | 'commissionVat' | 'withheldVat'>,
): void {
  const left = (account: string) => accounts.get(account) ?? 0
  assert.equal(left('seller') + left('payable'), 0, 'a sale that was given back whole leaves the seller nothing')
  assert.deepEqual(
    [left('commission'), left('vat'), left('withheld'), left('coupons')].map(Math.abs),
    [0, 0, 0, 0],
    `of ${commission}, ${commissionVat} and ${withheldVat ?? 0} nothing is left`,
  )
}
