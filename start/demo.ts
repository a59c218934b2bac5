/** The pictures, documents and synonyms of the demo shop. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { marketCodes, markets } from '@purlin/contract/markets.ts'
import { drawnAs, energyLabel, manualPage, type DocumentCase } from '@purlin/demo/index.ts'
import { drawBrandLogo, drawCategoryPicture, drawHero, drawPicture, type PictureView } from '@purlin/demo/pictures/index.ts'
import { demoPeople } from '@purlin/demo/people.ts'
import { composeReview } from '@purlin/demo/reviews.ts'
import { sellerAnswer } from '@purlin/demo/seller-talk.ts'
import { connectAutomaticSellers } from '@purlin/server/after-sale/fulfilment/index.ts'
import { connectSellerReplies } from '@purlin/server/after-sale/messages/index.ts'
import { connectAutomaticBuyers } from '@purlin/server/after-sale/reviews/index.ts'
import type { Synonym } from '@purlin/search/types.ts'
import { connectDocuments, connectPictures, type DocumentedProduct } from '@purlin/server/goods/catalogue/index.ts'
import { addGeneralSynonyms } from '@purlin/server/goods/merchandising/index.ts'
import { publishFiles, readEntryFiles } from '@purlin/server/goods/content/index.ts'
import { asCommand, type Db, type Pool } from '@purlin/server/foundation/platform/index.ts'

/** Changes with the code and the data that drawings are generated from. */
const drawingVersion = (() => {
  const hash = createHash('sha256')
  for (const folder of ['src', 'data']) {
    const below = join(import.meta.dirname, '../demo', folder)
    const files = readdirSync(below, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) hash.update(readFileSync(path))
  }
  return hash.digest('hex').slice(0, 16)
})()

/** The demo shop draws its own pictures; anything it cannot draw is not found. */
export function connectDemoPictures(): void {
  connectPictures({
    version: drawingVersion,
    product: ({ family, attributes, brand, seed, view }) =>
      orNull(() => drawPicture({ family: drawnAs(family), attrs: textsAndNumbers(attributes), brand, seed, view: view as PictureView })),
    category: (department) => orNull(() => drawCategoryPicture(department)),
    brand: (name) => orNull(() => drawBrandLogo(name)),
    hero: (theme) => orNull(() => drawHero(theme)),
  })
}

const dayMs = 86_400_000

/** Its sellers have no staff: they answer their customers by themselves, after a moment, and accept and ship unless `speed` is 0. */
export function connectDemoSellers(speed: number): void {
  if (speed > 0) connectAutomaticSellers({ acceptAfterMs: (0.3 * dayMs) / speed, shipAfterMs: (0.6 * dayMs) / speed })
  connectSellerReplies({ delayMs: 45_000, reply: ({ market, topic }) => sellerAnswer(markets[market].language, topic) })
}

/** Its people review what they have received after ten days of the demo, unless whoever plays them has done so by then. */
export function connectDemoBuyers(speed: number): void {
  if (speed <= 0) return
  const known = new Set(demoPeople.map(({ sub }) => sub))
  connectAutomaticBuyers({
    isTheirs: (customerId) => known.has(customerId),
    reviewAfterMs: (10 * dayMs) / speed,
    compose: composeReview,
  })
}

/** It also generates the documents of its products; it generates none that would be incomplete. */
export function connectDemoDocuments(): void {
  const write = (of: DocumentedProduct, paper: (whole: DocumentCase) => string | null) => {
    const whole = wholeCase(of)
    return whole && orNull(() => paper(whole))
  }
  connectDocuments({
    version: drawingVersion,
    manual: (of, language) => write(of, (whole) => manualPage(whole, language)),
    energyLabel: (of, language) => write(of, (whole) => energyLabel(whole, language)),
  })
}

function wholeCase(of: DocumentedProduct): DocumentCase | null {
  const { manufacturer, address, email, responsiblePerson, warnings } = of.safety
  const isWhole = (texts: object | undefined) => marketCodes.every((market) => markets[market].language in (texts ?? {}))
  if (!manufacturer || !address || !email || !responsiblePerson || !isWhole(of.titles) || !isWhole(warnings)) return null
  return { ...of, attributes: textsAndNumbers(of.attributes) } as DocumentCase
}

function textsAndNumbers(attributes: Record<string, unknown>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(attributes).filter(
      (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )
}

/** The drawings throw for an unknown family, view or theme: requested by address, such a picture is not found. */
function orNull(draw: () => string | null): string | null {
  try {
    return draw()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Synonyms in the language of each market; operators' changes stay. */
export async function fillSynonyms(db: Db): Promise<void> {
  for (const market of marketCodes) {
    const file = join(import.meta.dirname, '../demo/data/synonyms', `${markets[market].language}.json`)
    if (existsSync(file)) await addGeneralSynonyms(db, market, JSON.parse(readFileSync(file, 'utf8')) as Synonym[])
  }
}

/** Guides, comparisons, projects and other editorial pages; operators' changes stay. Returns the number of pages written. */
export function fillContent(pool: Pool): Promise<number> {
  const { entries } = readEntryFiles(join(import.meta.dirname, '../demo/content'))
  return asCommand(pool, ({ db }) => publishFiles({ db, now: new Date() }, entries))
}
