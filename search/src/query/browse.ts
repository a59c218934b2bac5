import type { SearchDocument, SearchEngine } from '../types.ts'
import { hasBit } from './bitsets.ts'
import { allowedIn } from './index-searcher.ts'
import { readRequest } from './search-request.ts'
import type { Snapshot } from './snapshot.ts'

/** Documents in id order; the cursor is the last id of the previous page. */
export function browseSnapshot(
  snapshot: Snapshot,
  params: Parameters<SearchEngine['browse']>[1],
): { hits: SearchDocument[]; cursor?: string } {
  const { cursor, ...asked } = params
  const request = readRequest({ hitsPerPage: 1000, ...asked }, snapshot.config.settings, snapshot.config.schema)
  const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString('utf8')
  const wanted: { id: string; part: number; at: number }[] = []
  snapshot.parts.forEach((part, index) => {
    const allowed = allowedIn(part, request.filter)
    for (let at = 0; at < part.segment.count; at++) {
      if (allowed && !hasBit(allowed, at)) continue
      const id = part.segment.ids.get(at)
      if (id > after) wanted.push({ id, part: index, at })
    }
  })
  wanted.sort((x, y) => (x.id < y.id ? -1 : 1))
  const page = wanted.slice(0, request.hitsPerPage)
  const hits = page.map(({ part, at }) => ({ ...snapshot.parts[part]!.segment.document(at) }))
  return wanted.length > page.length ? { hits, cursor: Buffer.from(page.at(-1)!.id).toString('base64url') } : { hits }
}
