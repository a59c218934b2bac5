declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'
  /** A stream to which the data of `copy … from stdin` is written. */
  export function from(sql: string): Writable & Submittable
}
