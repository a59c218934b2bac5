import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { SiteScope } from '#platform'
import { attributeText, categoryUrl, reference, showAttribute, type Category, type Reference } from '#catalogue'
import { publicLines } from '#conditions'
import { findGoods, type Goods } from '#listing'
import { showMoney, sumInTaxMode, taxKeyOfSum } from '#pricing'
import { markets } from '@purlin/contract/markets.ts'
import type { EntryBlock, EntryLine, EntryPart } from './entry-blocks.ts'
import { isEntryKind, type EntryFacts, type GoodsQuery, type ShoppingFacts } from './entry.ts'
import { alternatesOf, type FoundEntry } from './find-entry.ts'
import { entryUrl } from './entry-urls.ts'
import { entryPictureUrl } from './draw-entry.ts'
import { showEntryCard } from './list-entries.ts'
import { goodsQuery, measuredOf, measuredQuantity, type Measure, type Measured } from './shopping.ts'
import { shelf, type Shelf } from './shelf.ts'
import { isTextPage, type TextLine } from './text.ts'

interface Shown {
  scope: SiteScope
  facts: EntryFacts
  content: Shelf
  catalogue: Reference
  /** Goods by the names the facts give their queries: "shopping tiles", "products tiles", "comparison metal". */
  goods: ReadonlyMap<string, readonly Goods[]>
  measured: Measured
  pictureOf(name: string): string | null
}

/** An entry as shown on pages: links are resolved, lists and tables are filled with available products. */
export async function showEntry(scope: SiteScope, { entry, text, isPreview }: FoundEntry, measures: readonly Measure[]) {
  const { facts } = entry
  const measured = measuredOf(facts, measures)
  const [catalogue, content, goods, alternates] = await Promise.all([
    reference(scope),
    shelf(scope),
    goodsOf(scope, facts),
    alternatesOf(scope, entry),
  ])
  const pictureOf = (name: string) => entryPictureUrl(entry, name)
  const shown: Shown = { scope, facts, content, catalogue, goods, measured, pictureOf }
  const blocks = text.blocks.map((block) => showBlock(shown, block))
  const wanted = blocks.flatMap(({ kind, parts }) => (kind === 'shopping' ? parts : []))
  return {
    ...entry,
    ...text,
    isPreview,
    url: entryUrl(entry.kind, entry, scope.market),
    pictureUrl: facts.picture ? entryPictureUrl(entry, null) : null,
    publishedOn: facts.published,
    changedOn: facts.changed ?? facts.published,
    minutes: facts.minutes ?? null,
    difficulty: facts.difficulty ?? null,
    department: departmentOf(catalogue, facts),
    blocks,
    ...(await totalsOf(scope, wanted)),
    related: facts.related.flatMap((name) => {
      const found = findByName(shown, name)
      return found ? [showEntryCard(found, scope, catalogue, content)] : []
    }),
    alternates,
  }
}

function departmentOf({ categories }: Reference, { department }: EntryFacts): Category | null {
  return department === undefined ? null : (categories.byId.get(department) ?? null)
}

const articlesTried = 3

async function goodsOf(scope: SiteScope, { shopping, products, comparison }: EntryFacts): Promise<Shown['goods']> {
  const queries: [name: string, query: GoodsQuery, size: number][] = [
    ...shopping.map((item): [string, GoodsQuery, number] => [`shopping ${item.key}`, item, articlesTried]),
    ...Object.entries(products).map(([name, query]): [string, GoodsQuery, number] => [`products ${name}`, query, query.size]),
    ...(comparison?.picks ?? []).map((pick): [string, GoodsQuery, number] => [`comparison ${pick.key}`, pick, 1]),
  ]
  const rows = await findGoods(
    scope,
    queries.map(([, query, size]) => goodsQuery(query, size)),
  )
  return new Map(queries.map(([name], index) => [name, rows[index] ?? []]))
}

const plainBlock = {
  cards: [] as ProductCard[],
  pictureUrl: null as string | null,
  calculator: null as ReturnType<typeof calculatorOf>,
  attributes: [] as ComparedAttribute[],
}
interface ComparedAttribute {
  key: string
  label: string
  values: (string | null)[]
}

function showBlock(shown: Shown, block: EntryBlock) {
  const { goods } = shown
  const basic = {
    ...plainBlock,
    ...block,
    lines: block.lines.map((line) => showLine(shown, line)),
    rows: block.rows.map(({ cells }) => ({ cells: cells.map((cell) => showLine(shown, cell)) })),
    parts: block.parts.map((part) => showPart(shown, block.kind, part)),
  }
  const name = block.id ?? ''
  switch (block.kind) {
    case 'products':
      return { ...basic, cards: (goods.get(`products ${name}`) ?? []).map(({ card }) => card) }
    case 'picture':
      return { ...basic, pictureUrl: shown.pictureOf(name) }
    case 'calculator':
      return { ...basic, calculator: calculatorOf(shown, name) }
    case 'comparison':
      return { ...basic, attributes: compared(shown, block.parts) }
    default:
      return basic
  }
}

function calculatorOf({ facts, measured }: Shown, name: string) {
  const calculator = facts.calculators[name]
  return calculator ? { ...calculator, amount: measured.get(name) ?? 0 } : null
}

function showPart(shown: Shown, kind: EntryBlock['kind'], { id, title, blocks }: EntryPart) {
  const plain = {
    id,
    title,
    blocks: blocks.map((block) => ({ kind: block.kind, lines: block.lines.map((line) => showLine(shown, line)) })),
    card: null as ProductCard | null,
    isTool: false,
    quantity: 1,
    measuredBy: null as string | null,
    moreUrl: null as string | null,
  }
  if (kind === 'comparison') {
    const pick = shown.facts.comparison?.picks.find(({ key }) => key === id)
    return {
      ...plain,
      card: shown.goods.get(`comparison ${id}`)?.[0]?.card ?? null,
      moreUrl: pick ? categoryLink(shown, pick.category) : null,
    }
  }
  const item = kind === 'shopping' ? shown.facts.shopping.find(({ key }) => key === id) : undefined
  return item ? { ...plain, ...showItem(shown, item), moreUrl: categoryLink(shown, item.category) } : plain
}

/** The first article that can be had in the quantity the job needs, or the first of all. */
function showItem({ goods, measured }: Shown, item: ShoppingFacts) {
  const found = (goods.get(`shopping ${item.key}`) ?? []).map((one) => ({ ...measuredQuantity(item, one, measured), card: one.card }))
  const [first] = found
  const isTool = item.is === 'tool'
  return first ? { ...first, isTool } : { card: null, isTool, quantity: item.quantity, measuredBy: null }
}

function categoryLink({ catalogue, scope }: Shown, id: number): string | null {
  const category = catalogue.categories.byId.get(id)
  return category ? categoryUrl(category, markets[scope.market].language) : null
}

function compared({ facts, goods, catalogue, scope }: Shown, parts: readonly EntryPart[]): ComparedAttribute[] {
  return (facts.comparison?.attributes ?? []).flatMap((key) => {
    const cells = parts.map(({ id }) => {
      const value = goods.get(`comparison ${id}`)?.[0]?.attributes[key]
      return value === undefined ? null : showAttribute(catalogue, scope.market, key, value)
    })
    const label = cells.find((cell) => cell !== null)?.label
    return label ? [{ key, label, values: cells.map((cell) => cell && attributeText(cell)) }] : []
  })
}

/** What the list costs, as a cart counts it: both sums in the tax mode that the whole list has. */
async function totalsOf(site: SiteScope, parts: readonly { card: ProductCard | null; quantity: number; isTool: boolean }[]) {
  if (parts.length === 0) return { total: null, materialsTotal: null, totalTaxKey: null }
  const items = parts.flatMap(({ card, quantity, isTool }) => (card ? [{ offerId: card.offerId, quantity, isTool }] : []))
  const lines = await publicLines(site, items)
  const totalTaxKey = taxKeyOfSum(lines)
  const sumOf = (some: typeof lines) => showMoney(site.market, sumInTaxMode(totalTaxKey, some))
  return { total: sumOf(lines), materialsTotal: sumOf(lines.filter(({ isTool }) => !isTool)), totalTaxKey }
}

function findByName({ content, scope }: Shown, name: string) {
  const [kind = '', key = ''] = name.split(':')
  return isEntryKind(kind) ? content.find(kind, scope, { key }) : null
}

function showLine(shown: Shown, { spans }: EntryLine): TextLine {
  return {
    spans: spans.map(({ text, strong, to }) => ({
      text,
      strong,
      page: null,
      anchor: null,
      href: null,
      ...(to === null ? {} : target(shown, to)),
    })),
  }
}

/** The target of a link; if it no longer exists, only the link text stays. */
function target(shown: Shown, to: string): Partial<TextLine['spans'][number]> {
  const [, kind = '', name = ''] = /^(\w*):?(.*)$/.exec(to) ?? []
  if (/^(?:https:|tel:|#)/.test(to)) return { href: to }
  if (kind === 'category') return { href: categoryLink(shown, Number(name)) }
  if (kind === 'page') {
    const [page = '', anchor = null] = name.split('#')
    return isTextPage(page) ? { page, anchor } : {}
  }
  const found = findByName(shown, to)
  return { href: found && entryUrl(found.kind, found, shown.scope.market) }
}
