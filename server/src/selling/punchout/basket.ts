import { markets } from '@purlin/contract/markets.ts'
import type { PricedCart } from '#cart'
import { inLanguage } from '#catalogue'
import { unitDecimal } from '#pricing'
import type { Scope } from '#platform'
import { wordsFor } from '@purlin/words/catalogues.ts'

/** The part number of the delivery, which goes back as an item like the goods. */
export const deliveryPart = 'DELIVERY'

/** A line as a purchasing system takes it: net, in major units. */
export interface BasketItem {
  /** Our offer: its number comes back with the order. */
  partId: string
  title: string
  quantity: number
  /** With three decimals, so that quantity times price is the net amount of the line to the cent. */
  unitPrice: string
  leadDays: number | null
  isService: boolean
}

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
          unitPrice: unitDecimal(net / counted),
          leadDays,
          isService: false,
        }
      })
  })
  const delivery =
    totals.net - sellers.reduce((sum, { lines }) => sum + lines.reduce((all, line) => all + (line.counted > 0 ? line.net : 0), 0), 0)
  if (delivery <= 0) return goods
  const title = wordsFor(market)('punch-out.delivery')
  return [...goods, { partId: deliveryPart, title, quantity: 1, unitPrice: unitDecimal(delivery), leadDays: null, isService: true }]
}
