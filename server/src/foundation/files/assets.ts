import { buffer } from 'node:stream/consumers'
import { log } from '#platform'
import { typeOf } from './kinds.ts'
import { objectStore } from './object-store.ts'

const maxBytes = 5_000_000
type Made = string | Buffer | null | undefined

/**
 * A file that can be regenerated from data, such as a drawing: created at the first request, then read from the store. Its
 * key encodes everything it is made from. Null when it cannot be created.
 */
export async function asset(name: string, make: () => Made | Promise<Made>): Promise<Buffer | null> {
  const key = `assets/${name}`
  const type = typeOf(key)
  if (!type) throw new Error(`an asset needs an extension of a known type: ${key}`)
  const known = await objectStore().get(key)
  if (known) return buffer(known.stream)
  const content = await make()
  if (content === null || content === undefined) return null
  const made = typeof content === 'string' ? Buffer.from(content) : content
  // The caller has the bytes already; a full disk must not cost a picture.
  objectStore()
    .put(key, [made], { type, maxBytes })
    .catch((error: unknown) => log.warn({ err: error, key }, 'an asset was not stored'))
  return made
}
