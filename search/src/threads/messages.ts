import type { DocumentBytes } from '../segment/segment-reader.ts'
import type { Schema } from '../segment/schema.ts'
import {
  SearchRequestError,
  type FacetHit,
  type IndexSettings,
  type Rule,
  type SearchParams,
  type Synonym,
  type WrittenAnswer,
} from '../types.ts'

/** A segment in transit to another thread: its memory is shared, not copied. */
export interface SharedSegment {
  id: number
  buffer: SharedArrayBuffer
  source: DocumentBytes
}

/** A snapshot in transit to a search thread. */
export interface SharedSnapshot {
  name: string
  version: number
  updatedAt: string
  /** Only if it changed since the last one. */
  config: { settings: IndexSettings; synonyms: Synonym[]; rules: Rule[] } | null
  /** Segments this thread has not seen yet. */
  fresh: SharedSegment[]
  parts: { id: number; deleted: Uint32Array | null | 'same'; live: number }[]
}

export type SearchMessage =
  | { do: 'publish'; snapshot: SharedSnapshot }
  | { do: 'drop'; name: string }
  | {
      do: 'search'
      ticket: number
      name: string
      indexName: string
      params: SearchParams
      sort: string | null
      maxBytes: number | undefined
    }
  | { do: 'facet'; ticket: number; name: string; params: SearchParams; facet: string; facetQuery: string }

export type SearchReply =
  | { ticket: number; answer: WrittenAnswer }
  | { ticket: number; facetHits: FacetHit[] }
  | { ticket: number; error: SentError }

/** Documents in one block: their concatenated JSON, and the length of each. */
export interface JsonBlock {
  bytes: Uint8Array
  lengths: Uint32Array
}

export type BuildMessage =
  | { do: 'live'; ticket: number; schema: Schema; block: JsonBlock; known: SharedSegment[] }
  | {
      do: 'compact'
      ticket: number
      schema: Schema
      parts: (SharedSegment & { deleted: Uint32Array | null })[]
      target: Target
      known: SharedSegment[]
    }
  | { do: 'open'; ticket: number; folder: string; id: number; schema: Schema }
  | { do: 'add'; ticket: number; id: number; block: JsonBlock }
  | { do: 'finish'; ticket: number; id: number; known: SharedSegment[] }
  | { do: 'abandon'; ticket: number; id: number }

/** Destination of a merged segment. */
export type Target = { kind: 'memory' } | { kind: 'file'; folder: string; id: number }

/** A finished segment; null when it would be empty. */
export type Made = { buffer: SharedArrayBuffer; source: DocumentBytes } | null

export type BuildReply = { ticket: number; made: Made; count: number } | { ticket: number; error: SentError }

export function blockOf(items: readonly Buffer[]): JsonBlock {
  return { bytes: new Uint8Array(Buffer.concat(items)), lengths: Uint32Array.from(items, (item) => item.length) }
}

export function* itemsOf({ bytes, lengths }: JsonBlock): Generator<Buffer> {
  let at = 0
  for (const length of lengths) {
    yield Buffer.from(bytes.buffer, bytes.byteOffset + at, length)
    at += length
  }
}

/** An error in transit to another thread; `status` is that of a SearchRequestError. */
export interface SentError {
  message: string
  status: number | null
}

export function sentError(error: unknown): SentError {
  return {
    message: error instanceof Error ? error.message : String(error),
    status: error instanceof SearchRequestError ? error.status : null,
  }
}

export const errorOf = ({ message, status }: SentError): Error =>
  status === null ? new Error(message) : new SearchRequestError(message, status)
