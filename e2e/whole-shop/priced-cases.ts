import fc from 'fast-check'
import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import type { QuantityBreak } from '@purlin/server/goods/catalogue/product.ts'

/** An offer, what was agreed about it, and a buyer: one row of the truth table of prices. Amounts in minor units with VAT. */
export interface PricedCase {
  market: Market
  /** Of the sellers in testReference. */
  seller: keyof typeof sellerCountries
  /** Solar goods are zero-rated in de. */
  isSolar: boolean
  price: number
  proPrice: number | null
  breaks: QuantityBreak[]
  /** Rules of price lists, each in a list of its own. */
  rules: AgreedRule[]
  /** A professional is a visitor of Purlin Pro without an account. */
  group: 'consumer' | 'professional' | 'member'
  /** Whether the visitor has chosen prices with VAT. */
  prefersVat: boolean
  isSubscribed: boolean
  /** Whether a register has confirmed the company's VAT number. */
  isConfirmed: boolean
  /** The market of the member's company; the one it buys in, unless it is from another country. */
  companyFrom: Market
  quantity: number
  /** Pieces of it that the cart holds before the others are ordered. */
  held: number
  /** An accepted quote for exactly this quantity: a percentage of the price without it, and its delivery in comparison with the usual one. */
  quote: { percent: number; delivery: 'free' | 'usual' | 'dear' } | null
}

export interface AgreedRule {
  on: 'product' | 'category'
  to: 'company' | 'group'
  by: { price: number; percentBp: null } | { price: null; percentBp: number }
}

const sellerCountries = { 1: 'GB', 2: 'DE', 4: 'FR' } as const
const rates: Record<Market, number> = { gb: 2000, fr: 2000, de: 1900, es: 2100, it: 2200 }

const anyRule: fc.Arbitrary<AgreedRule> = fc.record({
  on: fc.constantFrom('product', 'category'),
  to: fc.constantFrom('company', 'group'),
  by: fc.oneof(
    fc.record({ price: fc.integer({ min: 50, max: 30_000 }), percentBp: fc.constant(null) }),
    fc.record({ price: fc.constant(null), percentBp: fc.integer({ min: 1, max: 6000 }) }),
  ),
})

/** Cases with prices, breaks and lists as sellers may set them, in all markets. */
export const anyCase: fc.Arbitrary<PricedCase> = fc
  .record({
    market: fc.constantFrom(...marketCodes),
    seller: fc.constantFrom(1, 2, 4),
    isSolar: fc.boolean(),
    price: fc.integer({ min: 400, max: 40_000 }),
    proOff: fc.option(fc.integer({ min: 1, max: 390 })),
    steps: fc.array(
      fc.record({ group: fc.constantFrom('b2c', 'b2b'), more: fc.integer({ min: 1, max: 9 }), off: fc.integer({ min: 1, max: 300 }) }),
      { maxLength: 4 },
    ),
    rules: fc.array(anyRule, { maxLength: 3 }),
    group: fc.constantFrom('consumer', 'professional', 'member', 'member'),
    prefersVat: fc.boolean(),
    isSubscribed: fc.boolean(),
    isConfirmed: fc.boolean(),
    companyFrom: fc.option(fc.constantFrom(...marketCodes)),
    quantity: fc.integer({ min: 1, max: 30 }),
    heldBp: fc.constantFrom(0, 0, 5000),
    quote: fc.option(fc.record({ percent: fc.integer({ min: 20, max: 130 }), delivery: fc.constantFrom('free', 'usual', 'dear') })),
  })
  .map(({ proOff, steps, rules, group, companyFrom, heldBp, ...rest }) => {
    const proPrice = proOff === null ? null : rest.price - proOff
    const breaks: QuantityBreak[] = []
    for (const buyers of ['b2c', 'b2b'] as const) {
      let last = { from: 1, price: buyers === 'b2b' ? (proPrice ?? rest.price) : rest.price }
      for (const { more, off } of steps.filter((step) => step.group === buyers)) {
        last = { from: last.from + more, price: last.price - off }
        if (last.price > 0) breaks.push({ group: buyers, ...last })
      }
    }
    return {
      ...rest,
      held: Math.floor((rest.quantity * heldBp) / 10_000),
      companyFrom: companyFrom ?? rest.market,
      group,
      proPrice,
      breaks,
      rules: rules.map((rule) => (rule.on === 'product' ? rule : withoutPrice(rule))),
    }
  })

/** A price belongs to one product; on a category it would be the price of everything in it. */
function withoutPrice(rule: AgreedRule): AgreedRule {
  return rule.by.price === null ? rule : { ...rule, by: { price: null, percentBp: 1 + (rule.by.price % 6000) } }
}

const offerOfTable = {
  market: 'fr',
  seller: 4,
  isSolar: false,
  price: 1200,
  proPrice: 1100,
  breaks: [
    { group: 'b2b', from: 10, price: 1000 },
    { group: 'b2c', from: 25, price: 1150 },
  ],
  rules: [],
  prefersVat: false,
  isSubscribed: false,
  isConfirmed: true,
  companyFrom: 'fr',
  held: 0,
  quote: null,
} satisfies Partial<PricedCase>

/** Gross prices in gb, a seller abroad, a rate of nothing, a VAT number that no register confirms, a company from another country. */
const elsewhere: PricedCase[] = (
  [
    { market: 'gb', companyFrom: 'gb', seller: 1 },
    { seller: 2 },
    { seller: 2, isConfirmed: false },
    { market: 'de', companyFrom: 'de', seller: 2, isSolar: true },
    { companyFrom: 'de' },
    { companyFrom: 'de', seller: 2 },
    { market: 'gb', companyFrom: 'fr', seller: 4 },
  ] satisfies Partial<PricedCase>[]
).flatMap((where) =>
  (['consumer', 'professional', 'member'] as const).flatMap((group) =>
    [1, 10].map((quantity) => ({ ...offerOfTable, ...where, group, quantity })),
  ),
)

/** Group × quantity × tax mode × subscription, for one offer of a French seller in fr; and the same offer elsewhere. */
export const table: PricedCase[] = [
  { group: 'consumer', rules: [] },
  { group: 'professional', rules: [] },
  { group: 'member', rules: [] },
  { group: 'member', rules: [{ on: 'product', to: 'company', by: { price: 1050, percentBp: null } }] },
  { group: 'member', rules: [{ on: 'category', to: 'group', by: { price: null, percentBp: 1000 } }] },
  { group: 'member', rules: [], quote: { percent: 75, delivery: 'free' } },
  { group: 'member', rules: [], quote: { percent: 90, delivery: 'usual' } },
  { group: 'member', rules: [], quote: { percent: 101, delivery: 'usual' } },
  { group: 'member', rules: [], quote: { percent: 75, delivery: 'dear' } },
]
  .flatMap((who) =>
    [1, 9, 10, 25].flatMap((quantity) =>
      (who.group === 'consumer' ? [false] : [false, true]).flatMap((prefersVat) =>
        (who.group === 'member' ? [false, true] : [false]).map(
          (isSubscribed) =>
            ({
              ...offerOfTable,
              prefersVat,
              isSubscribed,
              quantity,
              ...who,
            }) as PricedCase,
        ),
      ),
    ),
  )
  .concat(elsewhere)

/** The price per piece, written down independently of the shop: the lowest of everything that is in force for this buyer, without a quote. */
export function piecePrice({ price, proPrice, breaks, rules, group }: PricedCase, quantity: number): number {
  const isPro = group !== 'consumer'
  const single = isPro && proPrice !== null ? Math.min(price, proPrice) : price
  const reached = breaks.filter((step) => step.from <= quantity && (isPro || step.group === 'b2c'))
  const agreed =
    group === 'member' ? rules.map(({ by }) => by.price ?? Math.max(1, Math.floor((single * (10_000 - by.percentBp)) / 10_000))) : []
  return Math.min(single, ...reached.map((step) => step.price), ...agreed)
}

/** Price per piece and delivery of the member's quote. */
export function quoteOf(of: PricedCase): { price: number; delivery: number } | null {
  if (of.group !== 'member' || of.quote === null) return null
  const price = Math.max(1, Math.floor((piecePrice(of, of.quantity) * of.quote.percent) / 100))
  return { price, delivery: { free: 0, usual: deliveryOf(of), dear: 5000 }[of.quote.delivery] }
}

/** What the quantity costs in the cart: as quoted, if goods and delivery together cost no more than without the quote. */
export function charged(of: PricedCase): { price: number; goods: number; delivery: number } {
  const { quantity } = of
  const shop = { price: piecePrice(of, quantity), delivery: deliveryOf(of) }
  const quoted = quoteOf(of)
  // A subscriber's delivery is free, also that of a quote.
  const quote = quoted && { ...quoted, delivery: of.isSubscribed ? 0 : quoted.delivery }
  const sum = ({ price, delivery }: typeof shop): number => price * quantity + delivery
  const { price, delivery } = quote && sum(quote) <= sum(shop) ? quote : shop
  return { price, goods: price * quantity, delivery }
}

export function rateOf({ market, isSolar }: PricedCase): number {
  return market === 'de' && isSolar ? 0 : rates[market]
}

export const netOf = (of: PricedCase, gross: number): number =>
  Math.floor((gross * 20_000 + 10_000 + rateOf(of)) / (2 * (10_000 + rateOf(of))))

/** Professionals see net prices of sellers in their own country, unless they chose otherwise; in gb nobody does. */
export function showsNet({ group, market, prefersVat, seller, companyFrom }: PricedCase): boolean {
  const { country } = markets[group === 'member' ? companyFrom : market]
  return group !== 'consumer' && market !== 'gb' && !prefersVat && sellerCountries[seller] === country
}

export const inMode = (of: PricedCase, gross: number): number => (showsNet(of) ? netOf(of, gross) : gross)

/** Standard delivery of testOffer; free for subscribers, and above the threshold of one seller in gb. */
export function deliveryOf(of: PricedCase): number {
  const goods = piecePrice(of, of.quantity) * of.quantity
  const isFree = (of.group === 'member' && of.isSubscribed) || (of.seller === 2 && of.market === 'gb' && goods >= 5000)
  return isFree ? 0 : 490
}

export function treatmentOf(of: PricedCase): string {
  const { market, seller, group, isConfirmed, companyFrom } = of
  if (sellerCountries[seller] === markets[market].country) return market === 'gb' ? 'gb' : 'domestic'
  if (market === 'gb' || sellerCountries[seller] === 'GB') {
    // Consumers' imports up to £135 or €150 are supplied by the marketplace, all others by their sellers.
    const isLow = netOf(of, charged(of).goods) <= (market === 'gb' ? 13_500 : 15_000)
    return group !== 'member' && isLow ? 'deemed-supplier' : market === 'gb' ? 'gb' : 'domestic'
  }
  // A VAT number of another member state than the seller's.
  const isFromElsewhere = companyFrom !== 'gb' && markets[companyFrom].country !== sellerCountries[seller]
  return group === 'member' && isConfirmed && isFromElsewhere ? 'reverse-charge' : 'oss'
}
