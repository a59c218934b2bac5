import type { SearchEngine } from '../types.ts'
import { settings, vocabulary, type Product } from './model.ts'

/** A generated history of an index: the same seed and number always give the same change. */
export type Change = { do: 'upsert'; documents: Product[] } | { do: 'remove'; ids: string[] } | { do: 'replaceAll'; documents: Product[] }

export const limits = { flushDocuments: 40, segmentDocuments: 60 }

function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export function changeAt(seed: number, at: number): Change {
  const next = numbers(seed * 1_000_003 + at)
  const pick = (count: number) => Math.floor(next() * count)
  const words = (count: number) => Array.from({ length: 1 + pick(count) }, () => vocabulary[pick(vocabulary.length)]!).join(' ')
  const product = (): Product => ({
    objectID: `p${pick(200)}`,
    title: words(4),
    text: `${words(6)} change ${at}`,
    brand: `b${pick(5)}`,
    price: pick(100),
    popularity: pick(10),
    model: `m${pick(30)}`,
  })
  const roll = next()
  if (roll < 0.2) return { do: 'remove', ids: Array.from({ length: 1 + pick(4) }, () => `p${pick(200)}`) }
  if (roll > 0.97) return { do: 'replaceAll', documents: Array.from({ length: pick(150) }, product) }
  return { do: 'upsert', documents: Array.from({ length: 1 + pick(12) }, product) }
}

export function applyToModel(model: Map<string, Product>, change: Change): void {
  if (change.do === 'remove') for (const id of change.ids) model.delete(id)
  else {
    if (change.do === 'replaceAll') model.clear()
    for (const document of change.documents) model.set(document.objectID, document)
  }
}

export async function applyToEngine(engine: SearchEngine, change: Change): Promise<void> {
  if (change.do === 'remove') await engine.remove('p', change.ids)
  else if (change.do === 'upsert') await engine.upsert('p', change.documents)
  else await engine.replaceAll('p', change.documents, settings)
}
