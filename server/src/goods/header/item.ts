import { languages, marketCodes, markets, modes, type Language, type Market, type Mode } from '@purlin/contract/markets.ts'
import * as v from 'valibot'

/** Parts of the header that operators fill. A campaign appears in the menu below its categories or families (departments). */
export const itemKinds = ['quick-link', 'pre-header', 'campaign'] as const
/** Who sees an item. Pages are the same for everybody: a script hides what is not for this visitor. */
export const audiences = ['everybody', 'guests', 'customers'] as const

const text = v.strictObject({
  title: v.pipe(v.string(), v.trim(), v.minLength(2), v.maxLength(60)),
  detail: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(120)), ''),
})
const ids = v.optional(v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))), v.maxLength(50)), [])
const moment = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.transform((value) => new Date(value)),
)

export const itemId = v.pipe(v.string(), v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), v.maxLength(60))
export const itemInput = v.pipe(
  v.strictObject({
    kind: v.picklist(itemKinds),
    markets: v.optional(v.pipe(v.array(v.picklist(marketCodes)), v.minLength(1)), [...marketCodes]),
    modes: v.optional(v.pipe(v.array(v.picklist(modes)), v.minLength(1)), [...modes]),
    audience: v.optional(v.picklist(audiences), 'everybody'),
    categoryIds: ids,
    familyIds: ids,
    position: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), 0),
    from: moment,
    until: v.optional(v.nullable(moment), null),
    /** An address of this shop: the header never leads elsewhere. */
    path: v.pipe(v.string(), v.regex(/^\/(?![/\\])[\w\-./?=&%]{0,200}$/, 'an address of this shop, such as /great-deals')),
    texts: v.strictObject(v.entriesFromList(languages, v.optional(text))),
  }),
  v.check(({ from, until }) => until === null || until > from, 'It ends before it begins'),
  v.check(({ markets: where, texts }) => where.every((market) => texts[markets[market].language]), 'Words are missing for a market'),
  v.check(
    ({ kind, categoryIds, familyIds }) => kind !== 'campaign' || categoryIds.length + familyIds.length > 0,
    'A campaign names categories or families',
  ),
)
export type ItemInput = v.InferOutput<typeof itemInput>

export interface Item extends Omit<ItemInput, 'texts'> {
  id: string
  texts: Partial<Record<Language, { title: string; detail: string }>>
}

export interface ItemViewer {
  market: Market
  mode: Mode
  now: Date
}

export function isLive(item: Item, { market, mode, now }: ItemViewer): boolean {
  return item.from <= now && (item.until === null || item.until > now) && item.markets.includes(market) && item.modes.includes(mode)
}

/** An item with those who see it: of everybody it is for, those for whom there is room. */
export type PlacedItem = Item & { isForEverybody: boolean }

/** The first `count` items for guests and the first for customers. An item that is among one of them alone is seen by these alone. */
export function firstForEach(items: readonly Item[], count: number): PlacedItem[] {
  const firstFor = (visitor: Item['audience']) =>
    new Set(items.filter(({ audience }) => audience === 'everybody' || audience === visitor).slice(0, count))
  const [guests, customers] = [firstFor('guests'), firstFor('customers')]
  return items.flatMap((item) => {
    if (!guests.has(item) && !customers.has(item)) return []
    const audience = !customers.has(item) ? 'guests' : guests.has(item) ? 'everybody' : 'customers'
    return [{ ...item, audience, isForEverybody: item.audience === 'everybody' }]
  })
}

const campaignsShown = 3
const campaignsShownBelow = 12

/**
 * Campaigns of a category: those that name it come before those of its whole family, then those of categories below it, which
 * the menu shows in the same place.
 */
export function campaignsOf(
  items: readonly Item[],
  { categoryId, familyId }: { categoryId: number; familyId: number },
  isBelow: (id: number) => boolean,
): PlacedItem[] {
  const campaigns = items.filter(({ kind }) => kind === 'campaign')
  const own = campaigns.filter(({ categoryIds }) => categoryIds.includes(categoryId))
  const ofFamily = campaigns.filter((item) => !own.includes(item) && item.familyIds.includes(familyId))
  const here = [...own, ...ofFamily]
  const below = campaigns.filter((item) => !here.includes(item) && item.categoryIds.some(isBelow))
  return [...firstForEach(here, campaignsShown), ...firstForEach(below, campaignsShownBelow)]
}

export function showItem({ id, path, audience, isForEverybody, categoryIds, texts }: PlacedItem, market: Market) {
  const words = texts[markets[market].language]
  return { id, url: path, audience, isForEverybody, categoryIds, title: words?.title ?? '', detail: words?.detail ?? '' }
}
