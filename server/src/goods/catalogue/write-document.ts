import { markets, marketCodes } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { asset } from '#files'
import { finished, type FinishedFile } from './finished-files.ts'
import { documents } from './ports.ts'
import { pictureVersion } from './product.ts'
import { reference } from './reference.ts'
import { readProductPapers } from './store.ts'

const languages = new Map(marketCodes.map((market) => [markets[market].language as string, markets[market].language]))

/** The document of a product at this address; null when the product does not list it. One small statement. */
export async function writeDocument(scope: { db: Db }, id: string, url: string): Promise<FinishedFile | null> {
  const papers = await readProductPapers(scope.db, id)
  const named = papers?.documents.find((document) => document.url === url)
  const language = named && languages.get(named.language)
  const make = documents()
  if (!papers || !named || !language || !make) return null
  const version = pictureVersion(papers)
  const brand = (await reference(scope)).brands.get(papers.brandId)?.name ?? ''
  const write = () => {
    if (named.kind === 'manual') return make.manual({ ...papers, brand }, language)
    return named.kind === 'energy-label' ? make.energyLabel({ ...papers, brand }, language) : null
  }
  const name = url.replace(/^\/documents\//, `documents/${make.version}/${version}/`)
  return finished(`d${url}/${version}`, version, () => asset(name, write))
}
