import type { FamilyDrawing } from './family.ts'
import { d } from './pen.ts'
import type { Extent, Pen } from './pen.ts'
import { backdrop } from './scenes.ts'

/** Paper: white, shading slightly towards the ground. */
export function paper(p: Pen): string {
  return `<path d="M0 0H480V480H0Z" fill="${p.lin('y', [
    [0, '#ffffff'],
    [0.7, '#fdfdfd'],
    [1, '#f1f3f4'],
  ])}"/>`
}

/** The soft shadow under a product; a hanging product casts a fainter one further down. */
export function shadow(p: Pen, e: Extent, hangs: boolean): string {
  const [x, w] = e.foot ?? [e.x, e.w]
  const ry = Math.min(24, Math.max(11, w * 0.075))
  if (hangs) {
    const fill = p.rad([
      [0, '#1b2329', 0.16],
      [0.6, '#1b2329', 0.06],
      [1, '#1b2329', 0],
    ])
    return d`<ellipse cx="${x + w / 2 + 6}" cy="${e.y + e.h + 22}" rx="${w * 0.55}" ry="${ry * 0.8}" fill="${fill}"/>`
  }
  const fill = p.rad([
    [0, '#1b2329', 0.5],
    [0.55, '#1b2329', 0.3],
    [0.8, '#1b2329', 0.09],
    [1, '#1b2329', 0],
  ])
  return d`<ellipse cx="${x + w / 2 + 5}" cy="${e.y + e.h - ry * 0.25}" rx="${w * 0.58 + 8}" ry="${ry}" fill="${fill}"/>`
}

function frame(p: Pen, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480" viewBox="0 0 480 480"><defs>${p.defs()}</defs>${content}</svg>`
}

/** The product alone; mirrored pens show its other side. */
export function onPaper(p: Pen, family: FamilyDrawing): string {
  const e = family.draw(p)
  const k = Math.round(Math.min(1, 444 / e.w, 430 / e.h) * 1000) / 1000
  const dx = 240 - (e.x + e.w / 2) * k
  const dy = 236 - (e.y + e.h / 2) * k
  const place = `matrix(${p.mirrored ? -k : k} 0 0 ${k} ` + d`${p.mirrored ? 480 - dx : dx} ${dy})`
  return frame(p, `${paper(p)}<g transform="${place}">${shadow(p, e, family.hangs ?? false)}${p.body()}</g>`)
}

export function closeUp(p: Pen, family: FamilyDrawing): string {
  const e = family.draw(p)
  const [fx, fy, zoom = 2.3] = e.focus ?? [e.x + e.w / 2, e.y + e.h * 0.4, 2.3]
  const ground = `<path d="M0 0H480V480H0Z" fill="${p.lin('d', [
    [0, '#ffffff'],
    [1, '#e6eaec'],
  ])}"/>`
  return frame(
    p,
    `${ground}<g transform="${d`translate(240 240) scale(${zoom}) translate(${-fx} ${-fy})`}">${shadow(p, e, family.hangs ?? false)}${p.body()}</g>`,
  )
}

export function inUse(p: Pen, family: FamilyDrawing): string {
  if (family.inUse) {
    family.inUse(p)
    return frame(p, p.body())
  }
  const place = backdrop(p, family.scene)
  const behind = p.body()
  const e = family.draw(p)
  const product = p.body().slice(behind.length)
  const k = Math.min(family.inScene ?? 0.78, 410 / e.w, 390 / e.h)
  const hangs = family.hangs ?? false
  const footY = hangs ? e.y + e.h / 2 : e.y + e.h
  const at = d`translate(${place.x} ${hangs ? place.hangY : place.groundY}) scale(${k}) translate(${-(e.x + e.w / 2)} ${-footY})`
  return frame(p, `${behind}<g transform="${at}">${shadow(p, e, hangs)}${product}</g>`)
}

const INK = '#4a545c'

function arrow(x1: number, y1: number, x2: number, y2: number): string {
  const across = y1 === y2
  const head = (x: number, y: number, s: number): string =>
    across ? d`M${x + 7 * s} ${y - 4}L${x} ${y}l${7 * s} 4` : d`M${x - 4} ${y + 7 * s}L${x} ${y}l4 ${7 * s}`
  return d`M${x1} ${y1}L${x2} ${y2}` + head(x1, y1, 1) + head(x2, y2, -1)
}

function caption(x: number, y: number, text: string, turned: boolean): string {
  const turn = turned ? d` transform="rotate(-90 ${x} ${y})"` : ''
  return d`<text x="${x}" y="${y}"${turn} text-anchor="middle" font-family="Figtree,system-ui,Arial,sans-serif" font-size="17" font-weight="600" fill="#2a3238">${escape(text)}</text>`
}

function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

/** The product with its dimensions: numbers and units only, so that one picture serves every language. */
export function measured(p: Pen, family: FamilyDrawing): string {
  const e = family.draw(p)
  const k = Math.min(0.8, 330 / e.w, 330 / e.h)
  const left = 262 - (e.w * k) / 2
  const top = 222 - (e.h * k) / 2
  const right = left + e.w * k
  const bottom = top + e.h * k
  const lengths = family.lengths?.(p) ?? {}
  let lines = ''
  let words = ''
  if (lengths.h) {
    const x = Math.max(40, left - 34)
    lines += d`M${x - 9} ${top}H${left - 6}M${x - 9} ${bottom}H${left - 6}` + arrow(x, top, x, bottom)
    words += caption(x - 12, (top + bottom) / 2, lengths.h, true)
  }
  if (lengths.w) {
    const y = bottom + 38
    lines += d`M${left} ${bottom + 8}V${y + 9}M${right} ${bottom + 8}V${y + 9}` + arrow(left, y, right, y)
    words += caption((left + right) / 2, y + 26, lengths.w, false)
  }
  if (lengths.note) {
    const y = Math.min(462, bottom + (lengths.w ? 92 : 46))
    const w = lengths.note.length * 10.4 + 32
    lines += d`M${262 - w / 2 + 15} ${y - 21}h${w - 30}a15 15 0 0 1 0 30h${-w + 30}a15 15 0 0 1 0 -30z`
    words += caption(262, y, lengths.note, false)
  }
  return frame(
    p,
    `<path d="M0 0H480V480H0Z" fill="#fff"/><g transform="${d`translate(${left} ${top})`} scale(${Math.round(k * 1000) / 1000}) ${d`translate(${-e.x} ${-e.y})`}">${p.body()}</g>` +
      `<path d="${lines}" fill="none" stroke="${INK}" stroke-width="1.4"/>${words}`,
  )
}
