import { cheapestDelivery, isParcel, type DeliveryOffer, type QuotedPrice } from '#pricing'

/** A line of the cart, as far as quotes are concerned. */
export interface QuotableLine {
  counted: number
  /** Accepted quotes that name the offer. */
  quotes: readonly QuotedPrice[]
  /** The quote that its price is of. */
  quote: QuotedPrice | null
}

/**
 * A seller's lines with the quotes that apply: all goods of a quote are there, each in exactly its quantity, and the seller's
 * part of the cart is not dearer with it. The newest comes first where two share a line.
 */
export function withQuotes<Line extends QuotableLine>(
  lines: readonly Line[],
  asQuoted: (line: Line, quote: QuotedPrice) => Line,
  costOf: (lines: readonly Line[]) => number,
): readonly Line[] {
  const fitting = lines.flatMap(({ quotes, counted }) => quotes.filter(({ quantity }) => quantity === counted))
  const wholeOnes = [...Map.groupBy(fitting, ({ quoteId }) => quoteId)].filter(([, own]) => own.length === own[0]?.lines)
  const newestFirst = wholeOnes.map(([id]) => id).toSorted((one, other) => (one < other ? 1 : -1))
  return newestFirst.reduce<readonly Line[]>((current, quoteId) => {
    const quoted = current.map((line) => {
      const quote = line.quotes.find((each) => each.quoteId === quoteId)
      return quote ? asQuoted(line, quote) : line
    })
    const isShared = current.some(({ quotes, quote }) => quote !== null && quotes.some((each) => each.quoteId === quoteId))
    return isShared || costOf(quoted) > costOf(current) ? current : quoted
  }, lines)
}

/** The quote that a seller's lines are as a whole: its delivery counts, too. */
export function wholeQuoteOf(lines: readonly QuotableLine[]): QuotedPrice | null {
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
