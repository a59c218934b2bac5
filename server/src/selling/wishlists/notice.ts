/** News about a product on a list. */
export type NoticeKind = 'price-drop' | 'back-in-stock'

/** What a list's owner knows about a product. */
export interface Known {
  /** Minor units with VAT; null while nobody sold it. */
  price: number | null
  isAvailable: boolean
  /** When they were last written to about it. */
  mailedAt: Date | null
}

/** The current state; the price of the best offer, null when there is none. */
export interface Now {
  price: number | null
  isAvailable: boolean
}

/** Less is not worth a mail; drops add up until they are. */
const leastDrop = 0.02
/** Fluctuating stock and prices are reported at most once a week. */
const pauseMs = 7 * 86_400_000

/**
 * The mail to send, if any, and what the owner knows afterwards; null when nothing changes for them. A price that rose and
 * fell back is not news: it is compared with the lowest price reported.
 */
export function noticeOf(known: Known, now: Now, at: Date): { kind: NoticeKind | null; known: Omit<Known, 'mailedAt'> } | null {
  if (!now.isAvailable || now.price === null)
    return known.isAvailable ? { kind: null, known: { price: known.price, isAvailable: false } } : null
  const isBack = !known.isAvailable
  const hasDropped = known.price !== null && now.price <= known.price * (1 - leastDrop)
  if (!isBack && !hasDropped) return known.price === null ? { kind: null, known: { price: now.price, isAvailable: true } } : null
  if (known.mailedAt && at.getTime() - known.mailedAt.getTime() < pauseMs) return null
  return { kind: isBack ? 'back-in-stock' : 'price-drop', known: { price: now.price, isAvailable: true } }
}
