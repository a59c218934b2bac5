import { createHash } from 'node:crypto'
import type { Db } from '#platform'
import { asset } from '#files'
import { finished, keptFile, type FinishedFile } from './finished-files.ts'
import { pictureVersion, type Product } from './product.ts'
import { pictures, type Pictures } from './ports.ts'
import { reference } from './reference.ts'
import { readProductLook } from './store.ts'

/** A picture of a product; null for an unknown product or view. One small statement if it is not cached. */
export async function drawProduct(scope: { db: Db }, id: string, view: string, version: string | null): Promise<FinishedFile | null> {
  const known = version === null ? undefined : keptFile(`p/${id}/${view}/${version}`)
  if (known) return known
  const look = await readProductLook(scope.db, id)
  if (!look || !look.pictures.some((picture) => picture.view === view)) return null
  const current = pictureVersion(look)
  const brand = (await reference(scope)).brands.get(look.brandId)?.name ?? ''
  return drawn(`p/${id}/${view}/${current}`, current, (draw) =>
    draw.product({ family: look.family, attributes: look.attributes, brand, seed: Number(BigInt(id) % 0xffffffffn), view }),
  )
}

export type ProductLook = Pick<Product, 'family' | 'attributes' | 'brandId' | 'pictures' | 'updatedAt'>

export function drawCategory(department: string): Promise<FinishedFile | null> {
  return drawn(`c/${department}`, '', (draw) => draw.category(department))
}

export async function drawBrand(scope: { db: Db }, id: number): Promise<FinishedFile | null> {
  const brand = (await reference(scope)).brands.get(id)
  return brand ? drawn(`b/${id}/${digest(brand.name)}`, '', (draw) => draw.brand(brand.name)) : null
}

/** Goods of a family in use, belonging to no product: the picture of a guide. */
export function drawFamily(
  version: string,
  { family, attributes, seed }: { family: string; attributes: Record<string, string | number>; seed: number },
): Promise<FinishedFile | null> {
  return drawn(`e/${version}-${seed}`, version, (draw) => draw.product({ family, attributes, brand: '', seed, view: 'inUse' }))
}

export function drawHero(theme: string): Promise<FinishedFile | null> {
  return drawn(`h/${theme}`, '', (draw) => draw.hero(theme))
}

/**
 * Drawn once for all processes: at the first request, then read from the object store. A shop without drawings puts its
 * own pictures there: `assets/pictures/own/h/workshop.svg`.
 */
async function drawn(name: string, version: string, draw: (by: Pictures) => string | null): Promise<FinishedFile | null> {
  const by = pictures()
  return finished(name, version, () => asset(`pictures/${by?.version ?? 'own'}/${name}.svg`, () => by && draw(by)))
}

const plain = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><path fill="#e4e8ee" d="M0 0h3v1H0z"/></svg>')

/** Placeholder for a missing picture of the shop itself: a plain field is better than a broken picture. */
export function plainPicture(): FinishedFile | null {
  return pictures() ? null : { body: plain, brotli: null, version: '' }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)
