import type { IncomingMessage, ServerResponse } from 'node:http'
import { SearchRequestError } from '../types.ts'

/** The body as a JSON object; an empty one is `{}`. @throws SearchRequestError 413 over the limit, 400 for anything else */
export async function readObject(request: IncomingMessage, limit: number): Promise<Record<string, unknown>> {
  const value = await readJson(request, limit)
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SearchRequestError('The body must be a JSON object')
  return value as Record<string, unknown>
}

/** The body as a JSON list. @throws SearchRequestError as above */
export async function readList(request: IncomingMessage, limit: number): Promise<unknown[]> {
  const value = await readJson(request, limit)
  if (!Array.isArray(value)) throw new SearchRequestError('The body must be a JSON list')
  return value as unknown[]
}

/** Whatever its content type says: the official clients send JSON as text/plain. */
async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limit) tooLarge(request, limit)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > limit) tooLarge(request, limit)
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    throw new SearchRequestError('Invalid JSON in the body')
  }
}

function tooLarge(request: IncomingMessage, limit: number): never {
  request.resume()
  throw new SearchRequestError(`The body is too large: at most ${limit} bytes`, 413)
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  })
  response.end(text)
}

/** Browsers of other origins may search: the key, not the origin, carries the right. */
export function sendPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'content-type, x-algolia-api-key, x-algolia-application-id, x-algolia-usertoken, x-algolia-agent',
    'access-control-max-age': '7200',
  })
  response.end()
}
