import { markets } from '@purlin/contract/markets.ts'
import type { PricedCart } from '#cart'
import { inLanguage } from '#catalogue'
import { unitDecimal } from '#pricing'
import type { Scope } from '#platform'
import { wordsFor } from '@purlin/words/catalogues.ts'

/** The part number of the delivery, which goes back as an item like the goods. */
export const deliveryPart = 'DELIVERY'

/** A line as a purchasing system takes it: without VAT. */
export interface BasketItem {
  /** Our offer: its number comes back with the order. */
  partId: string
  title: string
  quantity: number
  /** The whole line, in minor units without VAT. */
  net: number
  leadDays: number | null
  isService: boolean
}

/** The price per piece with so many decimals that quantity times price is the line to the cent: three, and for many pieces up to six. */
export function unitPriceOf({ net, quantity }: Pick<BasketItem, 'net' | 'quantity'>): string {
  for (let decimals = 3; decimals < 6; decimals++) {
    const price = unitDecimal(net / quantity, decimals)
    if (isExact(price, quantity, net)) return price
  }
  return unitDecimal(net / quantity, 6)
}

/** The same where a price has three decimals: if they are too few, it is the price of all the pieces. */
export function priceAndUnit({ net, quantity }: Pick<BasketItem, 'net' | 'quantity'>): { price: string; unit: number } {
  const price = unitDecimal(net / quantity)
  return isExact(price, quantity, net) ? { price, unit: 1 } : { price: unitDecimal(net), unit: quantity }
}

const isExact = (price: string, quantity: number, net: number): boolean => Math.round(Number(price) * quantity * 100) === net

/** The whole basket without VAT, as purchasing systems compute; its delivery is the last item. */
export function basketItems({ market }: Pick<Scope, 'market'>, { sellers, totals }: PricedCart): BasketItem[] {
  const { language } = markets[market]
  const goods = sellers.flatMap(({ lines, options, kind }) => {
    const leadDays = options.find((option) => option.kind === kind)?.daysMax ?? null
    return lines
      .filter(({ counted }) => counted > 0)
      .map(({ offer, counted, net }): BasketItem => {
        const title = inLanguage(offer.titles, language)
        return {
          partId: offer.id,
          title,
          quantity: counted,
          net,
          leadDays,
          isService: false,
        }
      })
  })
  const delivery =
    totals.net - sellers.reduce((sum, { lines }) => sum + lines.reduce((all, line) => all + (line.counted > 0 ? line.net : 0), 0), 0)
  if (delivery <= 0) return goods
  const title = wordsFor(market)('punch-out.delivery')
  return [...goods, { partId: deliveryPart, title, quantity: 1, net: delivery, leadDays: null, isService: true }]
}
