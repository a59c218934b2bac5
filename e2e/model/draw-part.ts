import { soldPart } from '@purlin/server/after-sale/invoices/golden-cases.ts'
import type { SellerOrder } from '@purlin/server/selling/orders/index.ts'

/** A part of one to three lines, with or without coupon, delivery charge and commission’s VAT; `below` draws a number below another. */
export function drawPart(below: (n: number) => number): SellerOrder {
  const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  const goods = Array.from({ length: 1 + below(3) }, () => {
    const [price, quantity] = [1 + below(20_000), 1 + below(4)]
    return { price, quantity, rateBp: oneOf([0, 550, 2_000]), discount: oneOf([0, below(price * quantity)]) }
  })
  const delivery = oneOf([0, 490, 1_295])
  const part = soldPart(goods, { delivery, deliveryDiscount: oneOf([0, below(delivery + 1)]) })
  const commission = Math.floor(part.total * 0.12)
  return {
    ...part,
    sellerDiscount: oneOf([0, part.discount]),
    commission,
    commissionVat: oneOf([0, Math.floor(commission / 5)]),
    withheldVat: oneOf([null, Math.floor(part.total / 6)]),
    deliveryOptions: [{ kind: 'standard', label: '', promise: '', fee: oneOf([0, 490]), daysMin: 1, daysMax: 3 }],
  }
}
