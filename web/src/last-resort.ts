import type { IncomingMessage, ServerResponse } from 'node:http'
import { bareHeaders } from './security.ts'

/** A header value on one line (A57). */
export function headerSafe(value: string): string {
  return value
    .replace(/[\p{Cc} ]/gu, (letter) => encodeURIComponent(letter))
    .replace(/[^!-~]/gu, (letter) => encodeURIComponent(letter.toWellFormed()))
}

export function headerToken(tag: string): string {
  return tag.replace(/[^\w:.-]/g, '_')
}

export function overloaded(res: ServerResponse, busyAnswer?: BusyAnswer): void {
  if (busyAnswer) {
    const { headers, body } = busyAnswer(res.req)
    return void res.writeHead(503, headers).end(body)
  }
  res.writeHead(503, { ...bareHeaders, 'retry-after': '1', 'content-type': 'text/plain; charset=utf-8' })
  res.end('Too many visitors at once. Please try again in a moment.')
}

/** The shop's own words for a visitor who is told to come back. */
export type BusyAnswer = (req: IncomingMessage) => { headers: Record<string, string>; body: string }

/** When even the error page cannot be rendered. */
export function lastResort(res: ServerResponse, requestId: string): void {
  res.writeHead(500, { ...bareHeaders, 'content-type': 'text/html; charset=utf-8' })
  res.end(
    `<!doctype html><meta charset="utf-8"><title>Sorry</title><p>Sorry, this page cannot be shown just now. <a href="/">Back to the shop</a></p><p>${requestId}</p>`,
  )
}
