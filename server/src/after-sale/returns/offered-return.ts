import type { Market } from '@purlin/contract/markets.ts'
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
  /** The setting `free-returns-b2b` or the subscription's term, whichever was longer when the order was placed. */
  businessReturnDays: number | null
  /** Delivered by freight: too large for a parcel. */
  isBulky: boolean
  /** Goods sent without payment in place of others: the contract is that of the order they were bought with. */
  isReplacement?: boolean
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
export const withdrawalDays = 14

/** Days in which a buyer may send back what they have changed their mind about; 0 for none. */
export function changeOfMindDays({ buyer, businessReturnDays }: Pick<ReturnCase, 'buyer' | 'businessReturnDays'>): number {
  return buyer === 'consumer' ? withdrawalDays : (businessReturnDays ?? 0)
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
  const { market, buyer, daysSinceDelivery: days, isBulky } = about
  const methods: ReturnMethod[] = [isBulky ? 'home-collection' : 'label']
  if (reason === 'changed-mind') {
    if (about.isReplacement) return null
    const limit = changeOfMindDays(about)
    if (limit === 0 || (days ?? 0) > limit) return null
    // A consumer may withdraw before the goods arrive; a business returns what it has.
    if (days === null && buyer === 'business') return null
    const basis = buyer === 'consumer' ? 'withdrawal' : 'policy'
    const delivery = buyer === 'consumer' ? 'standard' : 'none'
    return { basis, wishes: ['refund'], needsPhotos: false, delivery, methods, daysLeft: days === null ? null : limit - days }
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
