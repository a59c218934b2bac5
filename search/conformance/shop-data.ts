import type { IndexSettings, SearchDocument, SearchEngine } from '../src/types.ts'

/** A small shop whose correct results can be counted by hand, the same for every engine under test. */

export const brands = ['Tarvok', 'Kordanix', 'Brexiro', 'Malkarin'] as const
export const colours = ['red', 'green', 'blue'] as const
const goods = [
  { name: 'Cordless drill', trail: ['Tools', 'Power tools', 'Drills'], price: 90 },
  { name: 'Hammer drill', trail: ['Tools', 'Power tools', 'Drills'], price: 140 },
  { name: 'Circular saw', trail: ['Tools', 'Power tools', 'Saws'], price: 120 },
  { name: 'Claw hammer', trail: ['Tools', 'Hand tools', 'Hammers'], price: 18 },
  { name: 'Garden hose', trail: ['Garden', 'Watering', 'Hoses'], price: 35 },
  { name: 'Lawn mower', trail: ['Garden', 'Mowing', 'Mowers'], price: 260 },
] as const

export interface Good extends SearchDocument {
  title: string
  brand: string
  colour: string
  price: number
  popularity: number
  inStock: boolean
  modelId: string
  reference: string
  categories: { lvl0: string; lvl1: string; lvl2: string }
}

/** 6 products × 4 brands × 3 colours = 72 documents; the colours of one product and brand share a model. */
export function documents(): Good[] {
  const all: Good[] = []
  for (const [g, good] of goods.entries()) {
    for (const [b, brand] of brands.entries()) {
      for (const [c, colour] of colours.entries()) {
        const [lvl0, lvl1, lvl2] = good.trail
        all.push({
          objectID: `${g}-${b}-${c}`,
          title: `${good.name} ${brand} ${colour}`,
          brand,
          colour,
          price: good.price + b * 10 + c,
          popularity: (g * 31 + b * 17 + c * 7) % 100,
          inStock: (g + b + c) % 3 !== 0,
          modelId: `m${g}-${b}`,
          reference: `REF-${g}${b}${c}-X`,
          categories: { lvl0, lvl1: `${lvl0} > ${lvl1}`, lvl2: `${lvl0} > ${lvl1} > ${lvl2}` },
        })
      }
    }
  }
  return all
}

export const settings: IndexSettings = {
  language: 'en',
  searchableAttributes: ['title', 'brand', 'colour'],
  exactAttributes: ['reference'],
  attributesForFaceting: [
    'searchable(brand)',
    'colour',
    'price',
    'inStock',
    'modelId',
    'categories.lvl0',
    'categories.lvl1',
    'categories.lvl2',
  ],
  customRanking: ['desc(popularity)'],
  sorts: { price_asc: 'asc(price)', price_desc: 'desc(price)' },
  attributeForDistinct: 'modelId',
}

export const keys = [
  { key: 'conformance-admin', rights: ['search', 'browse', 'write', 'settings', 'events', 'list'] },
  { key: 'conformance-search', rights: ['search', 'events'] },
  { key: 'conformance-reader', rights: ['search', 'browse', 'list'] },
  { key: 'conformance-red', rights: ['search', 'browse', 'events'], indexes: ['goods*'], filters: 'colour:red' },
] as const

/** Fills `goods` and a second index `advice` for multi-index searches. */
export async function fill(engine: SearchEngine): Promise<void> {
  await engine.replaceAll('goods', documents(), settings)
  const advice = ['How to choose a drill', 'Mowing a lawn in spring', 'Which hammer for which job'].map((title, at) => ({
    objectID: `a${at}`,
    title,
  }))
  await engine.replaceAll('advice', advice, { language: 'en', searchableAttributes: ['title'] })
}
