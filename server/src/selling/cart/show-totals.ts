import { markets, type Market } from '@purlin/contract/markets.ts'
import { showMoney } from '#pricing'
import type { CartTotals } from './price-cart.ts'

const percents = new Map<Market, Intl.NumberFormat>()

/** "20%", "5,5 %": a rate in basis points, formatted for the market. */
export function showRate(market: Market, rateBp: number): string {
  let format = percents.get(market)
  if (!format) {
    format = new Intl.NumberFormat(markets[market].locale, { style: 'percent', maximumFractionDigits: 2 })
    percents.set(market, format)
  }
  return format.format(`${rateBp}e-4` as Intl.StringNumericLiteral)
}

/** Totals for the API. */
export function showTotals(market: Market, totals: Omit<CartTotals, 'taxKey'>) {
  const money = (amount: number) => showMoney(market, amount)
  return {
    goods: money(totals.goods),
    delivery: money(totals.delivery),
    discount: money(totals.discount),
    totalWithoutVat: money(totals.net),
    vat: money(totals.vat),
    vatLines: totals.vatLines.map(({ rateBp, net, vat }) => ({ rate: showRate(market, rateBp), net: money(net), vat: money(vat) })),
    totalWithVat: money(totals.total),
  }
}
