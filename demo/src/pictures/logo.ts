import { brandColor, brightness, hash, shade } from './colors.ts'
import { wordPath } from './glyphs.ts'
import { d } from './pen.ts'

/** Small symbols in front of the word, drawn on a 24 × 24 grid. */
const signs: ((c: string, soft: string) => string)[] = [
  (c, soft) => `<circle cx="12" cy="12" r="12" fill="${c}"/><path d="M4 16a9 9 0 0 1 16 0z" fill="${soft}"/>`,
  (c, soft) => `<path d="M0 24L12 0L24 24z" fill="${c}"/><path d="M12 0L24 24H12z" fill="${soft}"/>`,
  (c, soft) => `<path d="M0 0H15V24H0z" fill="${c}"/><path d="M17 9H24V24H17z" fill="${soft}"/>`,
  (c, soft) => `<path d="M12 0L22.4 6V18L12 24L1.6 18V6z" fill="${c}"/><circle cx="12" cy="12" r="4.4" fill="${soft}"/>`,
  (c, soft) =>
    `<path d="M0 12C0 4 8 0 24 0C24 16 20 24 12 24S0 20 0 12z" fill="${c}"/><path d="M3 21L17 7" stroke="${soft}" stroke-width="2.4"/>`,
  (c, soft) => `<path d="M0 14L12 3L24 14V20L12 9L0 20z" fill="${c}"/><path d="M6 24V19L12 14L18 19V24z" fill="${soft}"/>`,
  (c, soft) => `<path d="M0 4h24v5H0z" fill="${c}"/><path d="M0 12h17v5H0z" fill="${soft}"/><path d="M0 20h10v4H0z" fill="${c}"/>`,
  (c, soft) => `<path d="M12 0A12 12 0 1 1 0 12H6A6 6 0 1 0 12 6z" fill="${c}"/><circle cx="4" cy="4" r="4" fill="${soft}"/>`,
]

/** A brand's wordmark: a monoline word with its own weight, slant and symbol; height 40, as wide as the word. */
export function drawBrandLogo(brand: string): string {
  const h = hash(`logo ${brand}`)
  const c = brightness(brandColor(brand)) > 0.5 ? shade(brandColor(brand), -0.24) : brandColor(brand)
  const ink = (h >>> 3) % 3 === 0 ? c : shade(c, -0.62)
  const weight = [1.7, 2.2, 2.8][h % 3] ?? 2.2
  const spacing = [3, 4.2, 5.4][(h >>> 5) % 3] ?? 4
  const slant = (h >>> 7) % 4 === 0 ? -9 : 0
  const round = (h >>> 9) % 2 === 0
  const style = (h >>> 11) % 4
  const { d: word, width } = wordPath(brand, spacing)
  const k = 1.7
  const wordWidth = width * k
  const stroke = (color: string, x: number, y: number): string =>
    `<path d="${word}" transform="${d`translate(${x} ${y})`}${slant ? ` skewX(${slant})` : ''} scale(${k})" fill="none" stroke="${color}" stroke-width="${weight}" stroke-linecap="${round ? 'round' : 'square'}" stroke-linejoin="${round ? 'round' : 'miter'}"/>`
  let total: number
  let content: string
  if (style === 0) {
    total = wordWidth + 36
    content = `<rect width="${Math.ceil(total)}" height="40" rx="${round ? 20 : 4}" fill="${c}"/>${stroke('#ffffff', 18, 11.5)}`
  } else if (style === 3) {
    total = wordWidth + 12
    content = stroke(ink, 6, 8) + d`<path d="M6 34H${6 + wordWidth * 0.36}" stroke="${c}" stroke-width="3.4" stroke-linecap="round"/>`
  } else {
    const sign = signs[(h >>> 13) % signs.length] ?? signs[0]
    total = wordWidth + 44 + (width ? 6 : 0)
    content = `<g transform="translate(4 8)">${sign?.(c, shade(c, 0.45)) ?? ''}</g>${stroke(ink, 40, 11.5)}`
  }
  const w = Math.ceil(Math.max(40, total))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="40" viewBox="0 0 ${w} 40">${content}</svg>`
}
