/** Colour names of the demo vocabulary with their hex values. */
export const hexOf: Readonly<Record<string, string>> = {
  white: '#f1f2f2',
  black: '#24282b',
  matt_black: '#2a2c2e',
  anthracite: '#383e42',
  light_grey: '#c5c9cb',
  beige: '#d8c8a8',
  sand: '#d9c49a',
  red: '#c2272d',
  blue: '#1f5fa8',
  green: '#2f7d3b',
  yellow: '#f2c21a',
  orange: '#ee7a1a',
  brown: '#6b4a2f',
  sage: '#9caf88',
  terracotta: '#b5573c',
  taupe: '#8b7e74',
  chrome: '#cfd4d8',
  stainless_c: '#b8bcbe',
  brushed_steel: '#b4b8ba',
  brass: '#b99a4a',
  natural_oak: '#c8a26a',
  grey_oak: '#9c9488',
  walnut: '#5d432c',
  transparent: '#e6f0f2',
  steel: '#9aa1a6',
  galv_steel: '#b3babf',
  stainless: '#b9bec1',
  zinc_plated: '#bfc6cb',
  yellow_zinc: '#c9a84e',
  aluminium: '#c3c8cb',
  cast_alu: '#aeb4b7',
  brass_m: '#c0a04c',
  spruce: '#dcb982',
  pine: '#d6b06f',
  resin: '#8d9296',
  wpc: '#6b5a4b',
  leather: '#9a6b3f',
}

/** Whether a colour of the vocabulary is a wood and shows its figure. */
export function isWood(color: string): boolean {
  return color === 'natural_oak' || color === 'grey_oak' || color === 'walnut'
}

const INK: readonly [number, number, number] = [14, 20, 27]

function channels(hex: string): [number, number, number] {
  const v = Number.parseInt(hex.slice(1), 16)
  return [(v >> 16) & 255, (v >> 8) & 255, v & 255]
}

function toHex(r: number, g: number, b: number): string {
  return `#${((1 << 24) | (Math.round(r) << 16) | (Math.round(g) << 8) | Math.round(b)).toString(16).slice(1)}`
}

/** Lighter (k > 0, towards white) or darker (k < 0, towards a cold ink); |k| ≤ 1. */
export function shade(hex: string, k: number): string {
  const [r, g, b] = channels(hex)
  const t = Math.min(1, Math.abs(k))
  const [R, G, B] = k > 0 ? [255, 255, 255] : INK
  return toHex(r + (R - r) * t, g + (G - g) * t, b + (B - b) * t)
}

/** A colour between two, t from 0 (a) to 1 (b). */
export function mix(a: string, b: string, t: number): string {
  const p = channels(a)
  const q = channels(b)
  return toHex(p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t, p[2] + (q[2] - p[2]) * t)
}

/** Perceived brightness from 0 to 1. */
export function brightness(hex: string): number {
  const [r, g, b] = channels(hex)
  return (r * 0.3 + g * 0.59 + b * 0.11) / 255
}

/** Ink that stays readable on a background. */
export function inkOn(hex: string): string {
  return brightness(hex) > 0.56 ? '#20262b' : '#ffffff'
}

export function hash(text: string): number {
  let h = 2166136261
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return (h ^ (h >>> 13)) >>> 0
}

const BRAND_HUES = ['#1d5a9c', '#b02a30', '#0f6f78', '#dd6f1e', '#2e7442', '#3b4a59', '#7a3552', '#c99a12', '#245f8f', '#5b7d2a'] as const

/** One restrained colour per brand, the same on every product and in its logo. */
export function brandColor(brand: string): string {
  return BRAND_HUES[hash(brand) % BRAND_HUES.length] ?? '#3b4a59'
}

/** A table's entry by an untrusted key; inherited names are not entries. */
export function entry<T>(table: Readonly<Record<string, T>>, key: string, otherwise: NoInfer<T>): T {
  return Object.hasOwn(table, key) ? (table[key] ?? otherwise) : otherwise
}
