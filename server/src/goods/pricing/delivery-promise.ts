import { markets, type Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { dateFormat } from '@purlin/words/date-format.ts'
import { settings } from '#platform'
import { addDays, localTime } from './local-time.ts'
import { isWorkingDay, workingDayAfter } from './holidays.ts'

export const deliveryKinds = ['standard', 'kerbside', 'express', 'relay', 'appointment'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/** One delivery kind of an offer. Fee in minor units with VAT, days are working days. */
export interface DeliveryOffer {
  kind: DeliveryKind
  fee: number
  daysMin: number
  daysMax: number
}

/** Orders before this hour of the market's day ship the same day. */
const cutOffHour = 15
/** The marketplace's own logistics have a later cut-off and take at most a day less (decision 13). */
const ownCutOffHour = 18

export function deliveryKindLabel(market: Market, kind: DeliveryKind): string {
  return wordsFor(market)(`delivery.${kind}`)
}

/** First and last possible arrival day of a parcel ordered now, in the market's calendar. Weekends and public holidays do not count. */
export function deliveryDays(
  market: Market,
  { daysMin, daysMax }: Pick<DeliveryOffer, 'daysMin' | 'daysMax'>,
  now: Date,
  isMmf = false,
): { from: string; to: string } {
  const { day, hour } = localTime(market, now)
  const leavesToday = hour < (isMmf ? ownCutOffHour : cutOffHour) && isWorkingDay(market, day)
  const dispatch = workingDayAfter(market, leavesToday ? day : addDays(day, 1), 0)
  const last = workingDays({ daysMin, daysMax }, isMmf)
  return { from: workingDayAfter(market, dispatch, daysMin), to: workingDayAfter(market, dispatch, last) }
}

/** Working days until a parcel arrives at the latest. Source: R-371, decision 13. */
export function workingDays({ daysMin, daysMax }: Pick<DeliveryOffer, 'daysMin' | 'daysMax'>, isMmf: boolean): number {
  return isMmf ? Math.max(daysMin, daysMax - 1) : daysMax
}

// The text changes once a day and at the cut-off; a listing requests the same few over and over.
const remembered = new Map<string, string>()
const rememberedMax = 2_000

/** "Arrives Tue 24 – Thu 26 Nov", in the market's language. */
export function deliveryPromise(market: Market, offer: Pick<DeliveryOffer, 'daysMin' | 'daysMax'>, now: Date, isMmf = false): string {
  const { day, hour } = localTime(market, now)
  const key = `${market}${day}${hour}:${offer.daysMin}-${offer.daysMax}${isMmf}`
  const hit = remembered.get(key)
  if (hit !== undefined) return hit
  const { from, to } = deliveryDays(market, offer, now, isMmf)
  const t = wordsFor(market)
  const words =
    from === to
      ? t('delivery.arrives', { day: shortDay(market, to, true) })
      : t('delivery.arrives-between', {
          from: shortDay(market, from, from.slice(0, 7) !== to.slice(0, 7)),
          to: shortDay(market, to, true),
        })
  if (remembered.size >= rememberedMax) remembered.clear()
  remembered.set(key, words)
  return words
}

/** "Tue 24 Nov". Intl formats single days; its ranges repeat parts that a card has no room for. */
function shortDay(market: Market, day: string, withMonth: boolean): string {
  const { language, locale } = markets[market]
  const date = new Date(`${day}T00:00:00Z`)
  const named = (part: Intl.DateTimeFormatOptions): string => dateFormat(locale, { ...part, timeZone: 'UTC' }).format(date)
  const [weekday, dot] = [named({ weekday: 'short' }), language === 'de' ? '.' : '']
  const first = language === 'fr' ? '1er' : `1${dot}`
  const number = date.getUTCDate() === 1 ? first : `${date.getUTCDate()}${dot}`
  return `${weekday}${dot} ${withMonth ? named({ day: 'numeric', month: 'short' }) : number}`
}

/** Input that a delivery of this kind needs besides the address. */
type DeliveryQuestion = 'pick-up-point' | 'time-slot'
const questions: Record<DeliveryKind, readonly DeliveryQuestion[]> = {
  standard: [],
  kerbside: [],
  express: [],
  relay: ['pick-up-point'],
  appointment: ['time-slot'],
}

/** Input that checkout can collect. A delivery that needs any other is not offered anywhere; the carrier knows the pick-up points and its calendar. */
let asked: ReadonlySet<DeliveryQuestion> | undefined
const askedHere = (): ReadonlySet<DeliveryQuestion> =>
  (asked ??= new Set(settings().carrier.kind === 'none' ? [] : ['pick-up-point', 'time-slot']))

/**
 * The delivery kinds a buyer can choose: those for which checkout collects everything they need. The single rule for
 * cards, facets, product pages, carts and orders; an order already placed keeps the kind it was sold with. (V-22)
 */
export function offeredDelivery(offers: readonly DeliveryOffer[], asks: ReadonlySet<DeliveryQuestion> = askedHere()): DeliveryOffer[] {
  return offers.filter(({ kind }) => questions[kind].every((question) => asks.has(question)))
}

/** Delivery summary of a card. Source: R-344, spec §3 deliveryOffers. */
export interface DeliverySummary {
  minFee: number
  minFeeTime: number
  minTime: number
  minTimeFee: number
}

/** Cheapest and fastest delivery to the door, if there is one; fees in minor units with VAT, times in working days at most. */
export function deliverySummary(offers: readonly DeliveryOffer[]): DeliverySummary | null {
  const cheapest = cheapestDelivery(offers)
  const fastest = toTheDoor(offers).toSorted((a, b) => a.daysMax - b.daysMax || a.fee - b.fee)[0]
  if (!cheapest || !fastest) return null
  return { minFee: cheapest.fee, minFeeTime: cheapest.daysMax, minTime: fastest.daysMax, minTimeFee: fastest.fee }
}

/** The cheapest delivery to the door, which is what people expect unless they choose otherwise; of goods that cannot be had there, the cheapest. */
export function cheapestDelivery<Offer extends DeliveryOffer>(offers: readonly Offer[]): Offer | undefined {
  return toTheDoor(offers).toSorted((a, b) => a.fee - b.fee || a.daysMax - b.daysMax)[0]
}

function toTheDoor<Offer extends DeliveryOffer>(offers: readonly Offer[]): readonly Offer[] {
  const home = offers.filter(({ kind }) => reachesHome(kind))
  return home.length > 0 ? home : offers
}

/** The seller's delivery kinds for an order of this value: above the threshold, parcels are free, freight and express are not. */
export function deliveryFor(offers: readonly DeliveryOffer[], orderValue: number, freeFrom: number | null): DeliveryOffer[] {
  const free = freeFrom !== null && orderValue >= freeFrom
  return offeredDelivery(offers).map((offer) => (free && isParcel(offer.kind) ? { ...offer, fee: 0 } : { ...offer }))
}

/** Whether it comes to the door without an appointment, as people expect of "free delivery" on a card. (V-38) */
export function reachesHome(kind: DeliveryKind): boolean {
  return kind !== 'relay' && kind !== 'appointment'
}

/** Whether "free delivery", by threshold or by coupon, covers this kind. */
export function isParcel(kind: DeliveryKind): boolean {
  return kind === 'standard' || kind === 'relay'
}
