import { parentPort } from 'node:worker_threads'
import { facetValuesOf, writeAnswer } from '../query/search.ts'
import { configOf, type IndexConfig, type Part, type Snapshot } from '../query/snapshot.ts'
import { openSegment } from '../segment/segment-reader.ts'
import { SearchRequestError } from '../types.ts'
import { sentError, type SearchMessage, type SearchReply, type SharedSnapshot } from './messages.ts'

/** A search thread: it has views of the shared segments and serialises responses. */
const snapshots = new Map<string, Snapshot>()
const parts = new Map<string, Map<number, Part>>()

function publish({ name, version, updatedAt, config, fresh, parts: listed }: SharedSnapshot): void {
  const known = parts.get(name) ?? new Map<number, Part>()
  for (const { id, buffer, source } of fresh) known.set(id, { segment: openSegment(id, buffer, source), deleted: null, live: 0 })
  const current = listed.map(({ id, deleted, live }): Part => {
    const part = known.get(id)!
    const next = { segment: part.segment, deleted: deleted === 'same' ? part.deleted : deleted, live }
    known.set(id, next)
    return next
  })
  const used = new Set(listed.map((part) => part.id))
  for (const [id, part] of known) {
    if (used.has(id)) continue
    part.segment.close()
    known.delete(id)
  }
  parts.set(name, known)
  const made: IndexConfig = config ? configOf(config.settings, config.synonyms, config.rules) : snapshots.get(name)!.config
  snapshots.set(name, { name, config: made, parts: current, version, updatedAt })
}

function reply(message: Extract<SearchMessage, { ticket: number }>): SearchReply {
  const { ticket, name, params } = message
  try {
    const snapshot = snapshots.get(name)
    if (!snapshot) throw new SearchRequestError(`Index ${name} does not exist`, 404)
    return message.do === 'search'
      ? { ticket, answer: writeAnswer(snapshot, params, message.sort, message.indexName, message.maxBytes) }
      : { ticket, facetHits: facetValuesOf(snapshot, message.facet, message.facetQuery, params) }
  } catch (error) {
    return { ticket, error: sentError(error) }
  }
}

parentPort!.on('message', (message: SearchMessage) => {
  if (message.do === 'publish') publish(message.snapshot)
  else if (message.do === 'drop') {
    for (const part of parts.get(message.name)?.values() ?? []) part.segment.close()
    parts.delete(message.name)
    snapshots.delete(message.name)
  } else {
    const answered = reply(message)
    // The bytes are transferred, not copied.
    parentPort!.postMessage(answered, 'answer' in answered ? [answered.answer.json.buffer as ArrayBuffer] : [])
  }
})
