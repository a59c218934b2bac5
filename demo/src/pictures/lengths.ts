import type { Lengths } from './family.ts'
import type { Pen } from './pen.ts'

/** Dimensions straight from attributes: width and height in one unit; missing ones are left out. */
export function fromAttrs(across: string, up: string, unit = 'cm'): (p: Pen) => Lengths {
  const read = (p: Pen, key: string): string | undefined =>
    key && p.subject.attrs[key] !== undefined ? `${p.plain(key, 0)} ${unit}` : undefined
  return (p) => {
    const w = read(p, across)
    const h = read(p, up)
    return { ...(w && { w }), ...(h && { h }) }
  }
}

/** An amount with its unit: litres, kilograms, metres. */
export function amount(key: string, unit: string): (p: Pen) => Lengths {
  return (p) => (p.subject.attrs[key] === undefined ? {} : { note: `${p.plain(key, 0)} ${unit}` })
}
