import { calculatorKinds } from '@purlin/contract/calculators.ts'
import { languages, marketCodes, modes } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import { blocksInput } from './entry-blocks.ts'

/** Editorial content: the part of an entry that is not text, plus the text, which has the same structure in every language. */

/** Kinds of entries, each with the folder of its files. */
export const entryFolders = {
  guide: 'guides',
  comparison: 'comparisons',
  project: 'projects',
  landing: 'landings',
  partner: 'partners',
  promo: 'promos',
  help: 'help',
  page: 'pages',
  banner: 'banners',
  trade: 'trades',
  industry: 'industries',
  family: 'families',
} as const
export type EntryKind = keyof typeof entryFolders
export const entryKinds = Object.keys(entryFolders) as EntryKind[]
export const isEntryKind = (text: string): text is EntryKind => Object.hasOwn(entryFolders, text)

/** Key of an entry, a step, a question or an item: `how-to-tile-a-floor`. */
export const nameInput = v.pipe(v.string(), v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), v.maxLength(80))
const dayInput = v.pipe(v.string(), v.isoDate())
const categoryInput = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647))
/** `guide:how-to-tile-a-floor`. */
const referenceInput = v.pipe(
  v.string(),
  v.regex(/^[a-z]+:[a-z0-9-]+$/),
  v.check((text) => isEntryKind(text.split(':')[0] ?? ''), 'There is no such kind of entry'),
)

const attributeInput = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/), v.maxLength(40))
/** Products selected by their properties, so that an entry never names a product that may be sold out tomorrow. */
const goodsFields = {
  category: categoryInput,
  /** Attribute values, any of which matches: `{"power_source": ["battery"]}`. */
  filters: v.optional(
    v.record(attributeInput, v.pipe(v.array(v.union([v.pipe(v.string(), v.maxLength(80)), v.number()])), v.minLength(1), v.maxLength(20))),
    {},
  ),
  sort: v.optional(v.picklist(['popularity', 'rating', 'discount', 'newest']), 'popularity'),
}

/** How a calculator's area, length or volume translates into the quantity of one item of the list. */
const needInput = v.strictObject({
  calculator: nameInput,
  /** Per unit of the calculator: 4 kg per m², 1.1 m² per m², 0.4 posts per m. */
  each: v.pipe(v.number(), v.minValue(0.0001), v.maxValue(100_000)),
  /** Attribute that holds the content of one product (`weight_kg`, `yield_m2`, `volume`); without it a product is one piece. */
  content: v.optional(attributeInput),
  /** Converts the attribute, for instance where a litre covers 10 m²: `each` is then in m². */
  times: v.optional(attributeInput),
})

const shoppingInput = v.strictObject({
  key: nameInput,
  is: v.picklist(['tool', 'material']),
  ...goodsFields,
  quantity: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999)), 1),
  need: v.optional(needInput),
})

const calculatorInput = v.strictObject({
  kind: v.picklist(calculatorKinds),
  /** Allowance for cuts and breakage. */
  sparePercent: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(50)), 0),
  /** Coats of paint, layers of boards. */
  coats: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4)), 1),
})

const pictureInput = v.strictObject({
  /** Product family drawn in use, with the attributes that determine its colour and shape. */
  family: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/)),
  attributes: v.optional(v.record(attributeInput, v.union([v.string(), v.number()])), {}),
})

export const factsInput = v.strictObject({
  /** Part of the address and permanent: unique among the entries of its kind. */
  id: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2_147_483_647)),
  /** For a page without a number in its address: its part of the address in each language, permanent like the number. */
  slugs: v.optional(v.record(v.picklist(languages), nameInput)),
  published: dayInput,
  changed: v.optional(dayInput),
  markets: v.optional(v.pipe(v.array(v.picklist(marketCodes)), v.minLength(1)), [...marketCodes]),
  /** Storefronts it appears on. */
  modes: v.optional(v.pipe(v.array(v.picklist(modes)), v.minLength(1)), [...modes]),
  /** Department it is listed under. */
  department: v.optional(categoryInput),
  /** Categories whose pages link to it. */
  categories: v.optional(v.pipe(v.array(categoryInput), v.maxLength(20)), []),
  picture: v.optional(pictureInput),
  /** Further pictures, by the name used in its text. */
  pictures: v.optional(v.record(nameInput, pictureInput), {}),
  /** How long the job takes one person, excluding drying times. */
  minutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))),
  /** 1 easy, 2 some practice, 3 demanding. */
  difficulty: v.optional(v.picklist([1, 2, 3])),
  shopping: v.optional(v.pipe(v.array(shoppingInput), v.maxLength(30)), []),
  products: v.optional(
    v.record(
      nameInput,
      v.strictObject({ ...goodsFields, size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24)), 6) }),
    ),
    {},
  ),
  calculators: v.optional(v.record(nameInput, calculatorInput), {}),
  comparison: v.optional(
    v.strictObject({
      /** Attributes the table is built from, in order. */
      attributes: v.pipe(v.array(attributeInput), v.minLength(1), v.maxLength(12)),
      picks: v.pipe(v.array(v.strictObject({ key: nameInput, ...goodsFields })), v.minLength(2), v.maxLength(6)),
    }),
  ),
  related: v.optional(v.pipe(v.array(referenceInput), v.maxLength(12)), []),
  /** For a banner: the entry it leads to. */
  leadsTo: v.optional(v.pipe(v.string(), v.regex(/^(?:[a-z]+:[a-z0-9-]+)$/))),
})
export type EntryFacts = v.InferOutput<typeof factsInput>
export type ShoppingFacts = EntryFacts['shopping'][number]
export type GoodsQuery = Pick<ShoppingFacts, 'category' | 'filters' | 'sort'>

/** The text of an entry in one language. */
export const entryTextInput = v.strictObject({
  title: v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(90)),
  /** For search engines and shared links. */
  description: v.pipe(v.string(), v.trim(), v.minLength(40), v.maxLength(200)),
  /** The introduction before the table of contents. */
  lead: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(600)), ''),
  blocks: blocksInput,
})
export type EntryText = v.InferOutput<typeof entryTextInput>
