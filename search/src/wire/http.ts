import type { IncomingMessage, ServerResponse } from 'node:http'
import { SearchRequestError, type AnswerSummary } from '../types.ts'

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

/** Ignores the content type: the official clients send JSON as text/plain. */
async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > limit) tooLarge(request, limit)
  const text = await readText(request, limit)
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SearchRequestError('Invalid JSON in the body')
  }
}

/** Uses events: with async iteration, reading a single-chunk body would cost more than everything around it. */
function readText(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else reject(tooLargeError(limit))
    })
    request.on('end', () => resolve((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('the request ended before its body'))
    })
  })
}

const tooLargeError = (limit: number) => new SearchRequestError(`The body is too large: at most ${limit} bytes`, 413)

function tooLarge(request: IncomingMessage, limit: number): never {
  request.resume()
  throw tooLargeError(limit)
}

/** A serialised body, with a summary of its responses. */
export class WrittenBody {
  readonly bytes: Uint8Array
  readonly summaries: AnswerSummary[]
  constructor(bytes: Uint8Array, summaries: AnswerSummary[]) {
    this.bytes = bytes
    this.summaries = summaries
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return
  const bytes = body instanceof WrittenBody ? body.bytes : Buffer.from(JSON.stringify(body))
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
  })
  response.end(bytes)
}

/** Browsers of other origins may search: the key, not the origin, grants access. */
export function sendPreflight(response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'content-type, x-algolia-api-key, x-algolia-application-id, x-algolia-usertoken, x-algolia-agent',
    'access-control-max-age': '7200',
  })
  response.end()
}
