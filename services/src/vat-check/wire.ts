import type { IncomingHttpHeaders } from 'node:http'

export interface Call {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}
export interface Reply {
  status: number
  /** Text is sent as HTML, everything else as JSON. */
  body: object | string
}
