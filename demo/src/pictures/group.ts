import { hash } from './colors.ts'
import { extras } from './extras.ts'
import { families } from './families.ts'
import { d, takePen } from './pen.ts'
import { shadow } from './views.ts'

/** A product's place in a composition: its foot centre, and its height (or width, if it is wider). */
export interface Placed {
  /** A product family, or a prop that only appears in department pictures. */
  thing: string
  brand: string
  attrs?: Record<string, string | number>
  x: number
  ground: number
  size: number
  seed?: number
  flip?: boolean
}

/** Draws products on common ground; returns gradients and markup separately, with ids unique per composition and place. */
export function group(name: string, placed: readonly Placed[]): { defs: string; body: string } {
  let defs = ''
  let body = ''
  placed.forEach((item, i) => {
    const family = families[item.thing]
    const draw = family?.draw ?? extras[item.thing]
    if (!draw) throw new RangeError(`no drawing for ${item.thing}`)
    const subject = { family: item.thing, attrs: item.attrs ?? {}, brand: item.brand, seed: item.seed ?? 1 }
    const p = takePen(subject, `g${hash(name).toString(36)}${i}-`, item.flip ?? false)
    const e = draw(p)
    const k = Math.round((item.size / Math.max(e.w, e.h)) * 1000) / 1000
    const dx = item.x - (e.x + e.w / 2) * k
    const shade = shadow(p, e, family?.hangs ?? false)
    body += `<g transform="matrix(${item.flip ? -k : k} 0 0 ${k} ${d`${item.flip ? item.x + (e.x + e.w / 2) * k : dx} ${item.ground - (e.y + e.h) * k}`})">${shade}${p.body()}</g>`
    defs += p.defs()
  })
  return { defs, body }
}
