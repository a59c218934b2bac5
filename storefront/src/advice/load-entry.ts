import { calculatorFields, type Measures } from '@purlin/contract/calculators.ts'
import { canonicalSlug, notFound } from '@purlin/web/outcomes.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import type { ShopContext } from '../shell/context.ts'
import { EntryDocument, type EntryFragment, type EntryKind, type EntryQueryVariables } from '../generated/documents.ts'
import { idOf } from '../listing/listing-page.ts'
import { paths } from '../paths.ts'
import { entryData } from './entry-data.ts'

/** First segment of the address, and the list page of these entries. */
const places: readonly {
  kind: EntryKind
  at: string
  shelf: { label: 'advice.guides' | 'advice.comparisons' | 'advice.projects' | 'shell.help' | 'shell.to-pros'; href: string } | null
}[] = [
  { kind: 'guide', at: '/advice/', shelf: { label: 'advice.guides', href: paths.ourAdvice() } },
  { kind: 'comparison', at: '/comparisons/', shelf: { label: 'advice.comparisons', href: paths.ourComparisons() } },
  { kind: 'project', at: '/your-project/', shelf: { label: 'advice.projects', href: paths.craftyCompanion() } },
  { kind: 'help', at: '/help/', shelf: { label: 'shell.help', href: paths.helpCenter() } },
  { kind: 'landing', at: '/lp/', shelf: null },
  { kind: 'partner', at: '/pal/', shelf: null },
  { kind: 'promo', at: '/promo/', shelf: null },
]

/** Measures of the calculators, as their forms put them into the address: `m[floor][length]=5`. */
export type TypedMeasures = Readonly<Record<string, Measures>>

/** The entry with the number in the address: wrong slug 301, unknown 404. (R-074, V-37) */
export async function loadEntry(context: ShopContext) {
  const place = places.find(({ at }) => context.pathname.startsWith(at))
  const id = idOf(context)
  if (!place || id === null) return notFound()
  const measures = measuresOf(context.query['m'])
  const preview = previewOf(context)
  const { entry } = await context.client.query(EntryDocument, { kind: place.kind, id, preview, measures: listed(measures) })
  if (!entry) return notFound()
  const moved = entry.url ? canonicalSlug(context, entry.url) : null
  return moved ?? loadedEntry(context, entry, measures, place.shelf)
}

export type Shelf = (typeof places)[number]['shelf']

/** Head and data of an entry's page. */
export function loadedEntry(context: ShopContext, entry: EntryFragment, measures: TypedMeasures, shelf: Shelf) {
  const { t, origin } = context
  const trail = [...(shelf ? [{ name: t(shelf.label), url: shelf.href }] : []), { name: entry.title, url: entry.url ?? context.pathname }]
  return {
    data: { entry, measures, shelf },
    title: entry.title,
    description: entry.description,
    canonical: entry.url ?? context.pathname,
    alternates: Object.fromEntries(entry.alternates.map(({ market, url }) => [market, url])),
    ...(entry.pictureUrl && { picture: entry.pictureUrl }),
    ...(entry.isPreview
      ? { robots: 'noindex, nofollow', keep: false }
      : Object.keys(measures).length > 0
        ? { robots: 'noindex, follow' }
        : {}),
    tags: entry.blocks
      .flatMap(({ cards, parts }) => [...cards, ...parts.flatMap(({ card }) => card ?? [])])
      .map(({ productId }) => `card:${productId}`),
    jsonLd: [breadcrumbData(origin, t('shell.home'), trail), ...entryData(entry, context)],
  }
}

export function previewOf({ query }: ShopContext): string | null {
  const preview = query['preview']
  return typeof preview === 'string' && preview.length < 200 ? preview : null
}

const known = new Set(Object.values(calculatorFields).flatMap((fields) => fields.map(({ name }) => name)))

function measuresOf(given: unknown): TypedMeasures {
  if (typeof given !== 'object' || given === null) return {}
  return Object.fromEntries(
    Object.entries(given)
      .slice(0, 4)
      .map(([calculator, fields]) => [calculator, typeof fields === 'object' && fields !== null ? figuresOf(fields) : {}]),
  )
}

/** A figure as people type it, "4,5" included. */
function figuresOf(fields: object): Measures {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, typed]) => {
      const figure = typeof typed === 'string' ? Number(typed.trim().replace(',', '.')) : Number.NaN
      return [...known].some((one) => one === name) && Number.isFinite(figure) ? [[name, figure]] : []
    }),
  )
}

function listed(measures: TypedMeasures): NonNullable<EntryQueryVariables['measures']> {
  return Object.entries(measures).flatMap(([calculator, fields]) =>
    [...known].flatMap((name) => {
      const value = fields[name]
      return value === undefined ? [] : [{ calculator, name, value }]
    }),
  )
}
