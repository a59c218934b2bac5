import type { Db } from '#platform'
import { finished, keptFile, type FinishedFile } from './finished-files.ts'
import { pictureVersion, type Product } from './product.ts'
import { pictures } from './ports.ts'
import { reference } from './reference.ts'
import { readProductLook } from './store.ts'

/** A picture of a product; null when there is no such product or view. One small statement when it is not at hand. */
export async function drawProduct(scope: { db: Db }, id: string, view: string, version: string | null): Promise<FinishedFile | null> {
  const known = version === null ? undefined : keptFile(`p/${id}/${view}/${version}`)
  if (known) return known
  const look = await readProductLook(scope.db, id)
  if (!look || !look.pictures.some((picture) => picture.view === view)) return null
  const current = pictureVersion(look)
  const brand = (await reference(scope)).brands.get(look.brandId)?.name ?? ''
  return finished(`p/${id}/${view}/${current}`, current, () =>
    pictures()?.product({ family: look.family, attributes: look.attributes, brand, seed: Number(BigInt(id) % 0xffffffffn), view }),
  )
}

export type ProductLook = Pick<Product, 'family' | 'attributes' | 'brandId' | 'pictures' | 'updatedAt'>

export function drawCategory(department: string): Promise<FinishedFile | null> {
  return finished(`c/${department}`, '', () => pictures()?.category(department))
}

export async function drawBrand(scope: { db: Db }, id: number): Promise<FinishedFile | null> {
  const brand = (await reference(scope)).brands.get(id)
  return brand ? finished(`b/${id}/${brand.name}`, '', () => pictures()?.brand(brand.name)) : null
}

export function drawHero(theme: string): Promise<FinishedFile | null> {
  return finished(`h/${theme}`, '', () => pictures()?.hero(theme))
}
