import type { PageFacts } from './facts.ts'
import { structuredDataProblems } from './structured-data.ts'

export interface Finding {
  /** Kind of mistake: several pages usually share its cause. */
  kind: string
  address: string
  text: string
}

const budgets = { elements: 1_500, listBytes: 70 * 1024 }

/** Pages whose purpose is a list of goods: with none they are soft 404s, and their weight has a limit. */
const lists: readonly string[] = [
  'category',
  'brand',
  'seller',
  'search',
  'goodDeals',
  'massLanding',
  'commercialOperationListing',
  'bestSellersFamily',
]

export interface CheckedPage {
  address: string
  facts: PageFacts
  /** Messages that a page shows in place of its content. */
  excuses: readonly string[]
}

/** Mistakes that a page shows by itself, without a look at others. */
export function pageFindings({ address, facts, excuses }: CheckedPage): Finding[] {
  const found: Finding[] = []
  const add = (kind: string, text: string) => found.push({ kind, address, text })
  const isIndexable = facts.canonical !== null && !facts.noindex
  if (facts.status !== 200 || excuses.some((excuse) => facts.title.startsWith(excuse))) add('soft-404', facts.title)
  if (isIndexable && lists.includes(facts.page) && facts.cards === 0) add('soft-404', 'an indexable list without goods')
  if (facts.title.trim() === '') add('title', 'no title')
  if (isIndexable && facts.description === '') add('description', `no description on a page of ${facts.page}`)
  if (facts.elements > budgets.elements) add('elements', `${facts.elements} elements on a page of ${facts.page}`)
  if (lists.includes(facts.page) && facts.bytes > budgets.listBytes) add('bytes', `${facts.bytes} bytes on a page of ${facts.page}`)
  for (const link of facts.links)
    if (link.startsWith('#') && link.length > 1 && !facts.ids.has(decodeURIComponent(link.slice(1)))) add('anchor', `${link} leads nowhere`)
  for (const source of facts.jsonLd) for (const problem of structuredDataProblems(source)) add('json-ld', problem)
  return found
}

/** Indexable pages that cannot be told apart, or name a page as theirs that is no page. */
export function canonicalFindings(origin: string, pages: ReadonlyMap<string, PageFacts>): Finding[] {
  const found: Finding[] = []
  const byTitle = new Map<string, string>()
  for (const [address, { canonical, noindex, title, description }] of pages) {
    if (canonical === null || noindex || address.includes('?')) continue
    if (canonical !== origin + address) {
      const to = canonical.startsWith(origin) ? pages.get(canonical.slice(origin.length) || '/') : undefined
      if (to?.canonical !== canonical) found.push({ kind: 'canonical', address, text: `${canonical} is not a page that names itself` })
      continue
    }
    const key = `${title}\n${description}`
    const other = byTitle.get(key)
    if (other !== undefined) found.push({ kind: 'duplicate', address, text: `title and description of ${other}: ${title}` })
    else byTitle.set(key, address)
  }
  return found
}
