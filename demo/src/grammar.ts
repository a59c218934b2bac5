import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { InFive, Language } from './languages.ts'
import { languages } from './languages.ts'

export type AttributeValue = number | string
export type Attributes = Record<string, AttributeValue>
type Drivers = Record<string, number | Record<string, number>>

/** A product family: names, attributes and price drivers of its products. */
export interface Family {
  key: string
  dept: string
  /** Family whose picture stands in until it has its own. */
  drawAs?: string
  /** Description of its own picture. */
  shape?: string
  names: InFive
  /** Possible values; a value listed twice is twice as likely. */
  attrs: Record<string, AttributeValue[]>
  /** Attributes that grow together ("-speed": falls as the others grow). */
  ties: string[][]
  price_eur: { base: number; sigma: number; drivers: Drivers }
  weight_kg: { base: number; drivers: Drivers }
  variants: string[]
  unit_price: { unit: 'm2' | 'l' | 'kg' | 'm' | 'piece'; per: string } | null
  flags: string[]
  titles: InFive
  intro: InFive
}

interface Facet {
  n: string[]
  unit: string | string[] | null
  dec: number
}
interface Word {
  n: string[]
  hex?: string
}
interface NamedBrand {
  name: string
  tier: 1 | 2 | 3
}
interface Grammar {
  series: string[]
  facets: Record<string, Facet>
  vocab: Record<string, Word>
  families: Family[]
  brands: Record<string, NamedBrand[]>
  closers: Record<Language, string[]>
  sellers: { name: string; country: string }[]
}

export function readData<Data>(file: string): Data {
  return JSON.parse(textOf(file)) as Data
}

function textOf(file: string): string {
  return readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8')
}

const shopFiles = [
  'grammar.json',
  'extra-words.json',
  'extra-families.json',
  'categories.json',
  'sellers.json',
  'reviews.json',
  'advice.json',
]

/** Version of all data that products are generated from. */
export function dataDigest(): string {
  const hash = createHash('sha256')
  for (const file of shopFiles) hash.update(textOf(file))
  return hash.digest('hex').slice(0, 16)
}

const raw = readData<Grammar>('grammar.json')
const extraWords = readData<Pick<Grammar, 'facets' | 'vocab' | 'brands'>>('extra-words.json')

export const series = raw.series
export const closers = raw.closers
export const sellerNames = raw.sellers
export const facets = new Map(Object.entries({ ...raw.facets, ...extraWords.facets }))
export const vocabulary = new Map(Object.entries({ ...raw.vocab, ...extraWords.vocab }))
/** How to choose and use the goods of a family, by its key. */
export const advice = readData<Partial<Record<string, InFive>>>('advice.json')
export const families = new Map([...raw.families, ...readData<Family[]>('extra-families.json')].map((family) => [family.key, family]))

/** Brands by department, in id order. */
export const brandsByField = new Map<string, NamedBrand[]>(Object.entries(raw.brands))
for (const [field, more] of Object.entries(extraWords.brands)) brandsByField.set(field, [...(brandsByField.get(field) ?? []), ...more])
/** Those of the grammar first: later additions must not shift the ids of earlier ones. */
export const namedBrands = [...Object.values(raw.brands).flat(), ...Object.values(extraWords.brands).flat()]

export function familyOf(key: string): Family {
  const family = families.get(key)
  if (!family) throw new RangeError(`no family ${key} in the grammar`)
  return family
}

const formats = Object.fromEntries(
  languages.map((language) => [
    language,
    [0, 1, 2, 3].map(
      (digits) => new Intl.NumberFormat(language === 'en' ? 'en-GB' : language, { maximumFractionDigits: digits, useGrouping: 'min2' }),
    ),
  ]),
) as Record<Language, Intl.NumberFormat[]>

const known = new Map<string, string>()

/** An attribute's value in natural notation: "18 V", "vert sauge", "2,5 L". */
export function valueText(key: string, value: AttributeValue, language: Language): string {
  const id = `${key}|${value}|${language}`
  const before = known.get(id)
  if (before !== undefined) return before
  const text = typeof value === 'number' ? numberText(key, value, language) : wordText(value, language)
  known.set(id, text)
  return text
}

/** Counting units in the singular. */
const pieceOne = ['pc', 'pièce', 'Stück', 'ud.', 'pezzo']
const singular: Record<string, string[]> = {
  pieces: pieceOne,
  pack_qty: pieceOne,
  doors_n: ['door', 'porte', 'Tür', 'puerta', 'anta'],
  panels_n: ['panel', 'panneau', 'Modul', 'panel', 'pannello'],
  sockets_n: ['socket', 'prise', 'Dose', 'toma', 'presa'],
}

function numberText(key: string, value: number, language: Language): string {
  const facet = facets.get(key)
  if (!facet) throw new RangeError(`no attribute ${key} in the grammar`)
  const digits = Math.min(3, Math.max(facet.dec, Number.isInteger(value) ? 0 : 2))
  const at = languages.indexOf(language)
  const unit = value === 1 && singular[key] ? singular[key][at] : Array.isArray(facet.unit) ? facet.unit[at] : facet.unit
  const number = formats[language][digits]?.format(value) ?? String(value)
  return unit ? `${number} ${unit}` : number
}

function wordText(value: string, language: Language): string {
  const word = vocabulary.get(value)
  if (word) return word.n[languages.indexOf(language)] ?? value
  return language === 'en' ? value.replace(/(\d),(\d)/g, '$1.$2') : value
}
