import type { Readable } from 'node:stream'

/** Bytes by key, on this machine's disk or elsewhere. An object exists as a whole or not at all. */
export interface ObjectStore {
  /**
   * Reads the source to its end, then publishes it under the key, replacing any previous object.
   * @throws TooLargeError past `maxBytes`; then nothing is stored
   */
  put(key: string, source: Source, options: { type: string; maxBytes: number }): Promise<Written>
  /** Null when there is no such object. The caller reads the stream or destroys it. */
  get(key: string): Promise<{ stream: Readable; bytes: number } | null>
  /** Succeeds even if the object does not exist. Once the signal aborts, it is not waited for. */
  delete(key: string, signal?: AbortSignal): Promise<void>
}

export type Source = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface Written {
  bytes: number
  /** In hex. */
  sha256: string
}

export class TooLargeError extends Error {
  readonly maxBytes: number
  constructor(maxBytes: number) {
    super(`larger than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/** Path segments of letters, digits, "-" and "_" separated by "/", with one extension: unambiguous as a path and as an address. */
const wellFormed = /^(?=.{1,300}$)[\w-]+(?:\/[\w-]+)*\.[a-z0-9]{2,5}$/

/** @throws Error for an invalid key */
export function checkKey(key: string): string {
  if (!wellFormed.test(key)) throw new Error(`not a key of the object store: ${key.slice(0, 100)}`)
  return key
}

let connected: ObjectStore | undefined

/** Set at start: a folder or S3; tests use a folder of their own. */
export function connectObjectStore(store: ObjectStore): void {
  connected = store
}

export function objectStore(): ObjectStore {
  if (!connected) throw new Error('No object store is connected')
  return connected
}
