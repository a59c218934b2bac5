import type { Market } from '@purlin/contract/markets.ts'
import { addDays, localDay, workingDayAfter } from '#pricing'
import type { DeliveryShare } from '#refunds'

export const returnReasons = ['changed-mind', 'wrong', 'damaged', 'defective', 'missing-part'] as const
export type ReturnReason = (typeof returnReasons)[number]
export const returnWishes = ['refund', 'replacement', 'repair', 'part-refund'] as const
export type ReturnWish = (typeof returnWishes)[number]

/** Where, by whom and when goods were bought: determines what is offered for a reason. */
export interface ReturnCase {
  market: Market
  buyer: 'consumer' | 'business'
  /** Since the last piece arrived; null while goods are still on their way. */
  daysSinceDelivery: number | null
  /** Days that a consumer has left to withdraw, negative once they are over; null while goods are awaited, as the period has not begun. */
  withdrawalDaysLeft: number | null
  /** The setting `free-returns-b2b` or the subscription's term, whichever was longer when the order was placed. */
  businessReturnDays: number | null
  /** Delivered by freight, too large for a parcel, and there is a carrier whose driver collects it. */
  isCollected: boolean
  /**
   * For goods sent without payment, whose contract is that of an earlier order: its case if they are the pieces that were bought with it,
   * null if they were sent in place of those.
   */
  bought?: Pick<ReturnCase, 'daysSinceDelivery' | 'withdrawalDaysLeft' | 'businessReturnDays'> | null
}

export type ReturnMethod = 'label' | 'home-collection'

export interface OfferedReturn {
  /** The right it rests on. */
  basis: 'withdrawal' | 'guarantee' | 'policy'
  wishes: readonly ReturnWish[]
  needsPhotos: boolean
  /** How much of the delivery charge goes back with the goods. */
  delivery: DeliveryShare
  methods: readonly ReturnMethod[]
  /** Days that are left to ask; null while goods are on their way. */
  daysLeft: number | null
}

/** Consumers may withdraw for fourteen days after the last piece has arrived. Source: 2011/83/EU art. 9. */
const withdrawalDays = 14

/** Days in which a buyer may send back what they have changed their mind about; 0 for none. */
export function changeOfMindDays({ buyer, businessReturnDays }: Pick<ReturnCase, 'buyer' | 'businessReturnDays'>): number {
  return buyer === 'consumer' ? withdrawalDays : (businessReturnDays ?? 0)
}

/**
 * Days until the last day on which a consumer may withdraw, by the calendar of the market. If the fourteenth is no working day,
 * the next working day is the last; the payable rule of payouts ends later. Source: Regulation 1182/71 art. 3.
 */
export function withdrawalDaysLeft(market: Market, arrived: Date, now: Date): number {
  const last = workingDayAfter(market, addDays(localDay(market, arrived), withdrawalDays), 0)
  return Math.round((Date.parse(last) - Date.parse(localDay(market, now))) / 86_400_000)
}

/** For this long a consumer chooses between all remedies; afterwards goods are put right first. */
const freeChoiceDays = 30
/** Legal guarantee of consumers: two years in the EU, three in Spain; in the UK claims lapse after six. */
const guaranteeDays: Record<Market, number> = { gb: 2190, fr: 730, de: 730, es: 1095, it: 730 }
/** Businesses must inspect what they receive. */
const businessDays: Record<Exclude<ReturnReason, 'changed-mind'>, number> = { damaged: 8, wrong: 30, 'missing-part': 30, defective: 365 }

const remedies: Record<Exclude<ReturnReason, 'changed-mind'>, { early: readonly ReturnWish[]; late: readonly ReturnWish[] }> = {
  wrong: { early: ['refund', 'replacement'], late: ['replacement', 'refund'] },
  damaged: { early: ['refund', 'replacement', 'part-refund'], late: ['replacement', 'part-refund'] },
  defective: { early: ['refund', 'replacement', 'repair', 'part-refund'], late: ['repair', 'replacement', 'part-refund'] },
  'missing-part': { early: ['replacement', 'part-refund', 'refund'], late: ['replacement', 'part-refund'] },
}

/** What is offered for a reason, if anything. */
export function offeredReturn(reason: ReturnReason, about: ReturnCase): OfferedReturn | null {
  const { market, buyer, daysSinceDelivery: days, isCollected } = about
  const methods: ReturnMethod[] = [isCollected ? 'home-collection' : 'label']
  if (reason === 'changed-mind') {
    const bought = about.bought === undefined ? about : about.bought
    if (!bought) return null
    const whole = { wishes: ['refund'], needsPhotos: false, methods } as const
    if (buyer === 'consumer') {
      const { withdrawalDaysLeft: daysLeft } = bought
      return daysLeft !== null && daysLeft < 0 ? null : { ...whole, basis: 'withdrawal', delivery: 'standard', daysLeft }
    }
    // A business returns what it has.
    const limit = changeOfMindDays({ buyer, businessReturnDays: bought.businessReturnDays })
    const { daysSinceDelivery: since } = bought
    if (days === null || since === null || limit === 0 || since > limit) return null
    return { ...whole, basis: 'policy', delivery: 'none', daysLeft: limit - since }
  }
  if (days === null) return null
  const limit = buyer === 'consumer' ? guaranteeDays[market] : businessDays[reason]
  if (days > limit) return null
  const { early, late } = remedies[reason]
  return {
    basis: 'guarantee',
    wishes: days <= freeChoiceDays ? early : late,
    needsPhotos: reason !== 'missing-part',
    delivery: 'full',
    methods,
    daysLeft: limit - days,
  }
}
