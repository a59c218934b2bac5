import type { Mode } from '@purlin/contract/markets.ts'
import type { ListingRequest } from './listing-input.ts'

interface Placeable {
  sponsoredOn: Mode[]
  _rankingInfo?: { promoted?: boolean }
}

/** Of this many places in a row, one at most is paid for. (V-33) */
export const placesPerSponsored = 4

/**
 * Spreads sponsored cards over a page: of any four in a row one at most is sponsored. Returns the cards in their new order and
 * those whose place is paid for; the others have earned theirs and carry no mark. Only relevance sorting sells places. Cards an
 * operator has pinned keep theirs.
 */
export function placeSponsored<Card extends Placeable>(
  cards: readonly Card[],
  { sort, kind }: Pick<ListingRequest, 'sort' | 'kind'>,
  mode: Mode,
): { cards: Card[]; paid: ReadonlySet<Card> } {
  if (sort !== 'relevance' || kind === 'seller') return { cards: [...cards], paid: new Set() }
  const isSponsored = (card: Card) => card.sponsoredOn.includes(mode)
  const isPinned = (card: Card) => card._rankingInfo?.promoted === true
  const waiting = cards.filter((card) => !isPinned(card))
  const placed: Card[] = []
  const paid = new Set<Card>()
  for (const there of cards) {
    const lately = placed.slice(1 - placesPerSponsored)
    const isFree = !lately.some((card) => paid.has(card))
    const next = isPinned(there) ? there : takeFirst(waiting, (card) => isFree || !isSponsored(card))
    placed.push(next)
    if (isSponsored(next) && isFree) paid.add(next)
  }
  return { cards: placed, paid }
}

/** The first card that fits, or else the first. */
function takeFirst<Card>(waiting: Card[], fits: (card: Card) => boolean): Card {
  const at = Math.max(0, waiting.findIndex(fits))
  return waiting.splice(at, 1)[0] as Card
}
