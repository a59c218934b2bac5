declare module 'pg-copy-streams' {
  import type { Writable } from 'node:stream'
  import type { Submittable } from 'pg'
  /** A stream for the data of `copy … from stdin`. */
  export function from(sql: string): Writable & Submittable
}
