import { entry, hash, hexOf, shade } from './colors.ts'
import { wordPath } from './glyphs.ts'

/** What is drawn: a product of a family with its attributes, a brand and a seed for small variations. */
interface Subject {
  family: string
  attrs: Record<string, string | number>
  brand: string
  seed: number
}

/** The product's bounds in the 480 × 480 frame; `focus` is the target of a close-up. */
export interface Extent {
  x: number
  y: number
  w: number
  h: number
  focus?: readonly [x: number, y: number, zoom?: number]
  /** Its contact with the ground, if narrower than its width: [x, width]. */
  foot?: readonly [x: number, w: number]
}

type Stop = readonly [offset: number, color: string, opacity?: number]
type Axis = 'x' | 'y' | 'd'

/** Draws into one picture: collects shapes and the gradients they need. Light comes from the top left. */
export interface Pen {
  readonly subject: Subject
  /** The product is seen from its other side: shapes are flipped, light and lettering are not. */
  readonly mirrored: boolean
  num(key: string, otherwise: number): number
  text(key: string, otherwise: string): string
  /** Two lengths in one value (`60 x 120 cm`), each clamped between a quarter and four times the usual value. */
  pair(key: string, a: number, b: number): readonly [number, number]
  /** A number in language-neutral notation: quarters as fractions instead of decimals. */
  plain(key: string, otherwise: number): string
  /** The hex of a colour attribute (vocabulary name or #rrggbb). */
  hex(key: string, otherwise: string): string
  /** A deterministic number in [0, 1) for this subject and salt. */
  chance(salt: number): number
  lin(axis: Axis, stops: readonly Stop[]): string
  rad(stops: readonly Stop[], cx?: number, cy?: number): string
  path(d: string, fill: string, more?: string): void
  line(d: string, stroke: string, width: number, more?: string): void
  rect(x: number, y: number, w: number, h: number, r: number, fill: string, more?: string): void
  ell(cx: number, cy: number, rx: number, ry: number, fill: string, more?: string): void
  group(transform: string, inner: () => void): void
  clip(d: string, inner: () => void): void
  raw(markup: string): void
  /** The brand's mark in plain strokes, centred at (cx, cy), no wider than `widest`. */
  mark(cx: number, cy: number, capHeight: number, color: string, turn?: number, widest?: number): void
  body(): string
  defs(): string
}

/** Rounds every number in a path or transform to a tenth. */
export function d(parts: TemplateStringsArray, ...values: (number | string)[]): string {
  let out = parts[0] ?? ''
  for (let i = 0; i < values.length; i++) {
    const v = values[i]
    out += (typeof v === 'number' ? Math.round(v * 10) / 10 : v) + (parts[i + 1] ?? '')
  }
  return out
}

const r1 = (v: number): number => Math.round(v * 10) / 10

export function takePen(subject: Subject, idPrefix: string, mirrored = false): Pen {
  const out: string[] = []
  const defs: string[] = []
  const known = new Map<string, string>()

  function define(key: string, make: (id: string) => string): string {
    const old = known.get(key)
    if (old) return old
    const id = `${idPrefix}${known.size.toString(36)}`
    defs.push(make(id))
    const url = `url(#${id})`
    known.set(key, url)
    return url
  }
  const stopsOf = (stops: readonly Stop[]): string =>
    stops
      .map(([o, c, a]) => `<stop offset="${Math.round(o * 100) / 100}" stop-color="${c}"${a === undefined ? '' : ` stop-opacity="${a}"`}/>`)
      .join('')

  const pen: Pen = {
    subject,
    mirrored,
    num(key, otherwise) {
      const v = subject.attrs[key]
      const n = typeof v === 'number' ? v : v === undefined ? Number.NaN : Number.parseFloat(v.replace(',', '.'))
      return Number.isFinite(n) ? n : otherwise
    },
    pair(key, a, b) {
      const [x, y] = String(subject.attrs[key] ?? '').split(/\s*x\s*/)
      const near = (text: string | undefined, usual: number): number => {
        const n = Number.parseFloat((text ?? '').replace(',', '.'))
        return n > 0 ? Math.min(usual * 4, Math.max(usual / 4, n)) : usual
      }
      return [near(x, a), near(y, b)]
    },
    text: (key, otherwise) => (subject.attrs[key] === undefined ? otherwise : String(subject.attrs[key])),
    plain(key, otherwise) {
      const n = pen.num(key, otherwise)
      const quarters = Math.round(n * 4)
      if (Math.abs(quarters - n * 4) > 0.001) return String(r1(n))
      const rest = ['', '¼', '½', '¾'][((quarters % 4) + 4) % 4] ?? ''
      const whole = Math.floor(quarters / 4)
      return whole === 0 && rest ? rest : `${whole}${rest}`
    },
    hex(key, otherwise) {
      const v = String(subject.attrs[key] ?? otherwise)
      return entry(hexOf, v, /^#[\da-f]{6}$/i.test(v) ? v : entry(hexOf, otherwise, otherwise))
    },
    chance: (salt) => hash(`${subject.seed}:${salt}:${subject.brand}`) / 4294967296,
    lin(axis, stops) {
      const s = stopsOf(stops)
      const [from, to] = mirrored ? [1, 0] : [0, 1]
      const line = axis === 'y' ? 'x2="0" y2="1"' : axis === 'x' ? (mirrored ? 'x1="1" x2="0"' : '') : `x1="${from}" x2="${to}" y2="1"`
      return define(axis + s, (id) => `<linearGradient id="${id}" ${line}>${s}</linearGradient>`)
    },
    rad(stops, cx = 0.5, cy = 0.5) {
      const s = stopsOf(stops)
      const x = mirrored ? 1 - cx : cx
      return define(`r${x},${cy}${s}`, (id) => `<radialGradient id="${id}" cx="${x}" cy="${cy}" r=".5">${s}</radialGradient>`)
    },
    path: (path, fill, more = '') => void out.push(`<path d="${path}" fill="${fill}"${more && ` ${more}`}/>`),
    line(path, stroke, width, more = '') {
      const cap = more.includes('stroke-linecap') ? '' : ' stroke-linecap="round"'
      out.push(
        `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${r1(width)}"${cap} stroke-linejoin="round"${more && ` ${more}`}/>`,
      )
    },
    rect: (x, y, w, h, r, fill, more = '') =>
      void out.push(
        `<rect x="${r1(x)}" y="${r1(y)}" width="${r1(Math.max(0, w))}" height="${r1(Math.max(0, h))}"${r ? ` rx="${r1(r)}"` : ''} fill="${fill}"${more && ` ${more}`}/>`,
      ),
    ell: (cx, cy, rx, ry, fill, more = '') =>
      void out.push(
        rx === ry
          ? `<circle cx="${r1(cx)}" cy="${r1(cy)}" r="${r1(rx)}" fill="${fill}"${more && ` ${more}`}/>`
          : `<ellipse cx="${r1(cx)}" cy="${r1(cy)}" rx="${r1(rx)}" ry="${r1(ry)}" fill="${fill}"${more && ` ${more}`}/>`,
      ),
    group(transform, inner) {
      out.push(`<g transform="${transform}">`)
      inner()
      out.push('</g>')
    },
    clip(path, inner) {
      const url = define(`c${path}`, (id) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`)
      out.push(`<g clip-path="${url}">`)
      inner()
      out.push('</g>')
    },
    raw: (markup) => void out.push(markup),
    mark(cx, cy, capHeight, color, turn = 0, widest = Number.POSITIVE_INFINITY) {
      const { d: letters, width } = wordPath(subject.brand)
      if (!width) return
      const k = Math.min(capHeight / 10, widest / width)
      const place = d`translate(${cx} ${cy})${turn ? ` rotate(${turn})` : ''} scale(${mirrored ? '-' : ''}${String(Math.round(k * 100) / 100)} ${String(Math.round(k * 100) / 100)}) translate(${-width / 2} -5)`
      out.push(
        `<path d="${letters}" transform="${place}" fill="none" stroke="${color}" stroke-width="2.1" stroke-linecap="round" stroke-linejoin="round"/>`,
      )
    },
    body: () => out.join(''),
    defs: () => defs.join(''),
  }
  return pen
}

/** A smooth cylinder along an axis: 'x' for upright ones, 'y' for lying ones. */
export function volume(p: Pen, axis: Axis, color: string, gloss = 0.3): string {
  return p.lin(axis, [
    [0, shade(color, -0.14)],
    [0.24, shade(color, gloss)],
    [0.52, color],
    [0.9, shade(color, -0.38)],
    [1, shade(color, -0.26)],
  ])
}

/** A flat or gently curved face lit from the top left. */
export function face(p: Pen, color: string, contrast = 1): string {
  return p.lin('d', [
    [0, shade(color, 0.22 * contrast)],
    [0.45, color],
    [1, shade(color, -0.17 * contrast)],
  ])
}

/** Polished metal: hard bands along the axis. */
export function metal(p: Pen, axis: Axis, color: string): string {
  return p.lin(axis, [
    [0, shade(color, -0.3)],
    [0.1, shade(color, 0.7)],
    [0.25, shade(color, 0.3)],
    [0.42, shade(color, -0.42)],
    [0.5, shade(color, -0.12)],
    [0.66, shade(color, 0.66)],
    [0.82, shade(color, -0.05)],
    [0.94, shade(color, -0.48)],
    [1, shade(color, -0.1)],
  ])
}
