import type { Readable } from 'node:stream'

/** Bytes by key, on this machine's disk or elsewhere. An object is there as a whole or not at all. */
export interface ObjectStore {
  /**
   * Reads the source to its end, then shows it under the key, in place of what was there.
   * @throws TooLargeError past `maxBytes`; nothing is stored then
   */
  put(key: string, source: Source, options: { type: string; maxBytes: number }): Promise<Written>
  /** Null when there is no such object. Whoever asks reads the stream or destroys it. */
  get(key: string): Promise<{ stream: Readable; bytes: number } | null>
  /** Fine when it is not there. */
  delete(key: string): Promise<void>
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

/** Words of letters, digits, "-" and "_" set apart by "/", with one ending: nothing a folder or an address reads otherwise. */
const wellFormed = /^(?=.{1,300}$)[\w-]+(?:\/[\w-]+)*\.[a-z0-9]{2,5}$/

/** @throws Error for a key no store may be asked for */
export function checkKey(key: string): string {
  if (!wellFormed.test(key)) throw new Error(`not a key of the object store: ${key.slice(0, 100)}`)
  return key
}

let connected: ObjectStore | undefined

/** The start connects a folder or S3; tests a folder of their own. */
export function connectObjectStore(store: ObjectStore): void {
  connected = store
}

export function objectStore(): ObjectStore {
  if (!connected) throw new Error('No object store is connected')
  return connected
}
