/** Units that may be used in a period. */
interface Limit {
  units: number
  seconds: number
}
const minute = 60
const hour = 3600
const day = 24 * hour
const per = (seconds: number, units: number): Limit => ({ units, seconds })

/**
 * Quotas of a sender, by the subject counted: `address` is a network (IPv6 by /64), `line` what one customer has at most
 * (IPv6 by /48, IPv4 by /24): limits of a day count by it, since each counter stays in memory for as long. `session`, `customer` and `key` speak
 * for themselves, `email` is the recipient of a mail. The tightest limit decides. Limits by address leave room for an office or a
 * mobile network behind one address. `isLocal`: frequent and cheap, so each process counts by itself.
 */
export const quotas = {
  page: { isLocal: true, address: per(minute, 900) },
  // Every route of the gateway, whatever else it counts, and its unknown addresses; pictures and files: a page has many, and mail programs fetch them for all.
  request: { isLocal: true, address: per(minute, 3000) },
  file: { isLocal: true, address: per(minute, 20_000) },
  search: { isLocal: true, address: per(minute, 240) },
  // Units are the estimated cost of an operation; one operation may cost 50,000. A refused request counts 2,000.
  query: { isLocal: true, address: per(minute, 3_000_000) },
  // Units as of `query`; operators give each key a limit of its own.
  'public-api': { key: per(minute, 200_000) },
  suggestion: { isLocal: true, address: per(minute, 90) },
  'pick-up-points': { isLocal: true, address: per(minute, 60) },
  // Units are events: a page view has one to three.
  event: { isLocal: true, address: per(minute, 900), session: per(minute, 120) },
  // Units are metrics: a page view has five, and as many slow interactions again and more.
  'web-vital': { isLocal: true, address: per(minute, 2700), session: per(minute, 240) },
  // Kilobytes of events, web vitals, adds to carts and the like that are stored: a page view leaves two to four.
  measurement: { isLocal: true, line: per(day, 32_768) },
  // Units are rows: an event of a search client has one for each of its products, twenty at most.
  'search-event': { isLocal: true, address: per(day, 2000), line: per(day, 8000) },
  experiment: { isLocal: true, address: per(minute, 120) },
  // Visitors whom experiments count, each once per experiment: those beyond see their variations and are not counted.
  'counted-visitor': { address: per(day, 200) },
  'key-call': { isLocal: true, key: per(minute, 600) },
  // All keys of a seller together.
  'seller-call': { key: per(minute, 1200) },
  // Each is sent at once, to a server that the seller names.
  'webhook-replay': { key: per(hour, 600) },
  // Changes of an offer's state or quantity breaks: each indexes a product and purges the pages that show it.
  'offer-change': { key: per(hour, 30) },
  // Those of all offers of a seller together, in all markets.
  'seller-offer-change': { key: per(hour, 1000) },
  // Of a seller; units are rules, and a hundred for each list, so that next year's prices of all companies fit in a day.
  'price-list': { key: per(day, 300_000) },
  // Likewise; units are companies of a new group or of one whose companies are replaced, and a hundred for each.
  'company-group': { key: per(day, 150_000) },
  // Refunds that a seller gives for an order: each is a mail to an address that somebody typed, and a call of the payment provider. Two for each
  // line of an order that has more than ten.
  'given-refund': { key: per(day, 20) },
  'parcel-report': { key: per(day, 60) },
  // Mails that a seller's program causes: `key` is the pair of seller and recipient. Beyond this they find messages and refunds on
  // the page alone.
  'seller-mail': { key: per(day, 40) },
  session: { address: per(10 * minute, 120) },
  // Calls of purchasing systems: `key` is their credential.
  'punch-out': { address: per(10 * minute, 300), key: per(10 * minute, 120) },
  'sign-in': { address: per(10 * minute, 120) },
  // Tokens that carry a session to the other storefront or into an app: each makes another session.
  exchange: { customer: per(10 * minute, 60) },
  'coupon-guess': { session: per(15 * minute, 10), customer: per(15 * minute, 10), address: per(15 * minute, 40) },
  order: { session: per(15 * minute, 20), customer: per(15 * minute, 30), address: per(15 * minute, 90) },
  // Customers count by themselves: colleagues share an address, and a cart may need a quote from each of its sellers.
  message: { session: per(hour, 5), customer: per(hour, 20), address: per(hour, 15) },
  // Those of all customers of an office together: accounts cost nothing, and each message is two mails. Ten accounts use it up for an address that a
  // mobile network shares; a higher limit would take a few accounts more, at the expense of the operator's mailbox. Withdrawals count by themselves.
  'customer-message': { address: per(hour, 200) },
  // Beyond this a message arrives without an acknowledgement: an address anybody can type must not shut its owner out.
  acknowledgement: { email: per(day, 5) },
  // `key` is a pair of order number and e-mail address: strangers who know the number alone use up nothing of the buyer's.
  'order-link': { key: per(day, 5), address: per(15 * minute, 20) },
  // Mails about orders that were never paid: anybody can enter a stranger's address in them.
  'unpaid-order': { email: per(day, 5) },
  withdrawal: { address: per(hour, 60) },
  // Acknowledgements of withdrawals to addresses that do not belong to the order.
  'unmatched-withdrawal': { address: per(hour, 20), email: per(day, 5) },
  newsletter: { email: per(day, 3), address: per(hour, 20) },
  // Guests who want to be reminded of a basket: the address may be a stranger's.
  'basket-reminder': { email: per(day, 3), address: per(hour, 20) },
  // Mandates for direct debit: each is registered with the credit provider.
  mandate: { customer: per(hour, 10), address: per(hour, 40) },
  // Text messages with a code, to a number that may be a stranger's: `key` is the number.
  'phone-code': { customer: per(hour, 5), key: per(day, 5), address: per(hour, 20), line: per(day, 100) },
  // `key` is the code, which lasts for ten minutes.
  'phone-code-guess': { key: per(hour, 5) },
  // Records of choices. A refusal beyond takes effect without one.
  consent: { address: per(10 * minute, 60) },
  // Each deletes in every module. `key` is an issued visitor id or a customer, who counts by that alone: nobody withdraws for others. A refusal
  // beyond takes effect at once, and a later page has the rest deleted.
  'consent-withdrawal': { address: per(10 * minute, 300), line: per(10 * minute, 1000), key: per(hour, 20) },
  push: { address: per(10 * minute, 60) },
  // Rows that every message is sent to until their endpoint has failed for a day.
  'new-push': { line: per(day, 40) },
  // Sheets of quick orders: each is unpacked and parsed.
  sheet: { address: per(10 * minute, 60) },
  // VAT numbers that customers state as theirs: a refusal tells that another company has the number.
  'vat-number': { customer: per(day, 20), line: per(day, 200) },
  vote: { address: per(hour, 60) },
  question: { address: per(day, 10) },
} satisfies Record<string, { isLocal?: boolean } & Partial<Record<Counted, Limit>>>

export type Counted = 'address' | 'line' | 'session' | 'customer' | 'key' | 'email'
export type QuotaName = keyof typeof quotas

/** Subjects to count; unknown ones are left out, and those a quota has no limit for do not compile. An address is as it arrives, as address and as line. */
export type SubjectsOf<Name extends QuotaName> = {
  [By in Counted]?: By extends keyof (typeof quotas)[Name] ? string | null | undefined : never
}

/** In counting order: what strangers can name comes last. */
const kinds: readonly Counted[] = ['address', 'line', 'session', 'customer', 'key', 'email']
const limitsByName = new Map(
  Object.entries<Partial<Record<Counted, Limit>>>(quotas).map(([name, limits]) => [
    name,
    kinds.flatMap((by) => {
      const limit = limits[by]
      return limit ? [{ by, limit }] : []
    }),
  ]),
)

export function limitsOf(name: QuotaName): readonly { by: Counted; limit: Limit }[] {
  return limitsByName.get(name) ?? []
}

export function isLocal(name: QuotaName): boolean {
  return 'isLocal' in quotas[name]
}
