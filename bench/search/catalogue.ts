import { createReadStream, openSync, writeSync, closeSync, existsSync, renameSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { product } from '../../demo/src/product.ts'
import { demoDocuments, demoSeed, referenceDb, titleSamplesOf } from '../../scripts/relevance/demo-documents.ts'
import type { SearchDocument } from '../../search/src/index.ts'
import { reference, type Reference } from '../../server/src/goods/catalogue/index.ts'
import { productSettings } from '../../server/src/goods/listing/index.ts'

/** The documents of the search benchmark: those of the shop, of its demo products, in French. */
export const market = 'fr'
const now = new Date()

/** Products whose titles tell the goods of a category, as the shop samples them: some of each. */
const sampled = 5_000
export const db = referenceDb(now, () => titleSamplesOf(Array.from({ length: sampled }, (_, index) => product(demoSeed, index))))
let known: Promise<Reference> | undefined
export const catalogueOf = (): Promise<Reference> => (known ??= reference({ db }))
export const settingsOf = async () => productSettings(market, await catalogueOf())

/** Products whose documents are made together, as if there were no others: few models cross a border. */
const together = 2_000

export async function* documents(count: number): AsyncGenerator<SearchDocument> {
  const catalogue = await catalogueOf()
  for (let from = 0; from < count; from += together) {
    const made = Array.from({ length: Math.min(together, count - from) }, (_, at) => product(demoSeed, from + at))
    yield* demoDocuments(market, made, now, catalogue) as unknown as SearchDocument[]
  }
}

/** Writes the products once, so that generating them does not count as building. */
export async function writeCatalogue(path: string, count: number): Promise<void> {
  if (existsSync(path)) return
  const file = openSync(`${path}.part`, 'w')
  let lines = ''
  for await (const document of documents(count)) {
    lines += `${JSON.stringify(document)}\n`
    if (lines.length < 1 << 20) continue
    writeSync(file, lines)
    lines = ''
  }
  writeSync(file, lines)
  closeSync(file)
  renameSync(`${path}.part`, path)
}

export async function* readCatalogue(path: string): AsyncGenerator<SearchDocument> {
  for await (const line of createInterface({ input: createReadStream(path, { highWaterMark: 1 << 20 }) }))
    yield JSON.parse(line) as SearchDocument
}
