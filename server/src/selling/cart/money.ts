import { markets, type Market } from '@purlin/contract/markets.ts'
import { formatMoney } from '#pricing'

export interface ShownMoney {
  amount: number
  currency: string
  formatted: string
}

/** An amount as the API gives it: minor units, currency, and as the market writes it. */
export function showMoney(market: Market, amount: number): ShownMoney {
  const { currency } = markets[market]
  return { amount, currency, formatted: formatMoney({ amount, currency }, market) }
}
