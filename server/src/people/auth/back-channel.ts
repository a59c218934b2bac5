import { request as plainRequest } from 'node:http'
import { settings, traceHeader, traced } from '#platform'

interface CallOptions {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal
}

const maxResponseLength = 1_000_000

/**
 * Calls from the shop to the identity provider. The embedded one is called directly: browsers resolve `id.localhost` to
 * this machine, but Node asks the system resolver, which often does not.
 */
export function backChannelFetch(address: string, options: CallOptions): Promise<Response> {
  const send = () => sendCall(address, { ...options, headers: { ...traceHeader(), ...options.headers } })
  return traced(`${options.method} identity provider`, { kind: 'client' }, send)
}

function sendCall(address: string, options: CallOptions): Promise<Response> {
  const { url, internalUrl } = settings().identity
  const { hostname, protocol, host } = new URL(address)
  if (internalUrl !== url && address.startsWith(`${url}/`))
    return fetchLocally(internalUrl + address.slice(url.length), { ...options, headers: { ...options.headers, host } })
  if (protocol === 'http:' && hostname.endsWith('.localhost')) return fetchLocally(address, options)
  const { method, headers, body, signal } = options
  return fetch(address, { method, headers, redirect: 'manual', ...bodyOf(body), ...(signal && { signal }) })
}

function bodyOf(body: unknown): { body?: string } {
  return body === undefined || body === null ? {} : { body: String(body) }
}

function fetchLocally(address: string, { method, headers, body, signal }: CallOptions): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const call = plainRequest(
    address,
    {
      method,
      headers,
      ...(signal && { signal }),
      lookup: (_host, { all }, found) => (all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)),
    },
    (answer) => {
      const parts: Buffer[] = []
      let length = 0
      answer.on('data', (part: Buffer) => {
        length += part.length
        if (length > maxResponseLength) answer.destroy(new Error('The response is too long'))
        else parts.push(part)
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const status = answer.statusCode ?? 502
        const isEmpty = status === 204 || status === 304
        const lines = Object.entries(answer.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
        resolve(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: lines as [string, string][] }))
      })
    },
  )
  call.on('error', reject)
  call.end(bodyOf(body).body)
  return promise
}
