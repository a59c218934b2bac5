import { cheapestDelivery, isParcel, type DeliveryOffer, type QuotedPrice } from '#pricing'

/** A line of the cart, as far as quotes are concerned. */
export interface QuotableLine {
  counted: number
  /** At its price without a quote. */
  total: number
  /** Accepted quotes that name the offer. */
  quotes: readonly QuotedPrice[]
}

/** Costs of a seller's lines with the applicable quotes. */
interface QuotedPart<Line> {
  quoteOf: ReadonlyMap<Line, QuotedPrice>
  /** The quote that the lines are as a whole: its delivery counts, too. */
  whole: QuotedPrice | null
  goods: number
  /** The most that quotes could save that have all of their goods here and do not apply. */
  unused: number
}

/**
 * The quotes that apply to a seller's lines: all goods of a quote are there, each in exactly its quantity, and the seller's
 * part of the cart is not dearer with it. The newest comes first where two share a line.
 * @param costOf the part's cost by the sum of its goods, which is all that a quote changes, and the quote that it is as a whole
 */
export function applyQuotes<Line extends QuotableLine>(
  lines: readonly Line[],
  costOf: (goods: number, whole: QuotedPrice | null) => number,
): QuotedPart<Line> {
  const quoteOf = new Map<Line, QuotedPrice>()
  let goods = lines.reduce((sum, { total }) => sum + total, 0)
  let whole: QuotedPrice | null = null
  let unused = 0
  const fitting: { line: Line; quote: QuotedPrice }[] = []
  for (const line of lines) for (const quote of fittingQuotes(line)) fitting.push({ line, quote })
  if (fitting.length === 0) return { quoteOf, whole, goods, unused }
  let cost = costOf(goods, null)
  const complete = [...Map.groupBy(fitting, ({ quote }) => quote.quoteId)].filter(([, own]) => own.length === own[0]?.quote.lines)
  const newestFirst = complete.toSorted(([one], [other]) => (one < other ? 1 : -1))
  for (const [, own] of newestFirst) {
    const saved = own.reduce((sum, { line, quote }) => sum + line.total - quote.price * line.counted, 0)
    const asWhole = own.length === lines.length ? (own[0]?.quote ?? null) : null
    const quoted = costOf(goods - saved, asWhole)
    if (own.some(({ line }) => quoteOf.has(line)) || quoted > cost) {
      unused += Math.max(0, saved)
      continue
    }
    for (const { line, quote } of own) quoteOf.set(line, quote)
    goods -= saved
    cost = quoted
    whole = asWhole
  }
  return { quoteOf, whole, goods, unused }
}

/** The quotes that name a line's offer in exactly its quantity. */
export function fittingQuotes({ quotes, counted }: Pick<QuotableLine, 'quotes' | 'counted'>): readonly QuotedPrice[] {
  return quotes.length === 0 ? quotes : quotes.filter(({ quantity }) => quantity === counted)
}

/** The quote that a seller's lines are as a whole. */
export function wholeQuoteOf(lines: readonly { quote: QuotedPrice | null }[]): QuotedPrice | null {
  const quote = lines[0]?.quote
  return quote && lines.length === quote.lines && lines.every((line) => line.quote?.quoteId === quote.quoteId) ? quote : null
}

/** The delivery that a quote is about: to the door at the usual pace. */
export function usualDelivery<Offer extends DeliveryOffer>(options: readonly Offer[]): Offer | undefined {
  return options.find(({ kind }) => kind === 'standard') ?? cheapestDelivery(options)
}

/**
 * The quoted fee stands for the usual delivery. Other kinds cost what they cost anyway, but no less than was quoted; what the
 * company's subscription makes free stays free.
 */
export function quotedDelivery<Offer extends DeliveryOffer>(
  options: readonly Offer[],
  { delivery }: QuotedPrice,
  hasFreeDelivery: boolean,
): Offer[] {
  const usual = usualDelivery(options)
  return options.map((option) => {
    if (hasFreeDelivery && isParcel(option.kind)) return option
    return { ...option, fee: option === usual ? delivery : Math.max(option.fee, delivery) }
  })
}
