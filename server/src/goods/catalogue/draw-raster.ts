import type { Db } from '#platform'
import { asset } from '#files'
import { drawProduct } from './draw-picture.ts'
import { finished, keptFile, type FinishedFile } from './finished-files.ts'
import { pictures } from './ports.ts'
import { rasterize } from './rasterize.ts'

/** Sizes of a product's main picture for those who take no SVG: merchant feeds, and links shared elsewhere (Open Graph). */
const shapes = { feed: { width: 1200, height: 1200 }, share: { width: 1200, height: 630 } } as const
type RasterShape = keyof typeof shapes

export const isRasterShape = (name: string): name is RasterShape => Object.hasOwn(shapes, name)

const underWay = new Map<string, Promise<FinishedFile | null>>()

/**
 * The main picture of a product as a JPEG; null for an unknown product. Drawn once for all processes, then read from the
 * object store: there is no more work than two pictures for each product.
 * @throws UnavailableError while too many others are being drawn
 */
export async function rasterProduct(
  scope: { db: Db },
  id: string,
  shape: RasterShape,
  version: string | null,
): Promise<FinishedFile | null> {
  const known = version === null ? undefined : keptFile(`p/${id}/${shape}/${version}`)
  if (known) return known
  const drawing = await drawProduct(scope, id, 'main', version)
  if (!drawing) return null
  const key = `p/${id}/${shape}/${drawing.version}`
  const before = underWay.get(key)
  if (before) return before
  const make = () => rasterize({ svg: drawing.body.toString(), ...shapes[shape] })
  const made = finished(key, drawing.version, () => asset(`pictures/${pictures()?.version ?? 'own'}/${key}.jpg`, make), {
    isText: false,
  }).finally(() => underWay.delete(key))
  underWay.set(key, made)
  return made
}
