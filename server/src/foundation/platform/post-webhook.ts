import { createHmac } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { resolveName } from './resolve-name.ts'
import { settings } from './settings.ts'

/** Addresses that are not the public internet: this machine, private networks, metadata services, documentation, multicast. */
const closed = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(net, bits)
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
// Tunnels to IPv4 addresses, and documentation.
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  closed.addSubnet(net, bits, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !closed.check(address)
  // Of IPv6 only global unicast, which excludes mapped and translated IPv4 addresses.
  return version === 6 && open6.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

const maxUrlLength = 500

/**
 * Whether an endpoint may have this address: https on the usual port, of a host with a public name. A shop that serves only
 * this machine may also call programs on it.
 */
export function isEndpointUrl(text: string, isLocal = !settings().isPublic): boolean {
  if (text.length > maxUrlLength || !URL.canParse(text)) return false
  const { protocol, port, username, password, hostname, hash } = new URL(text)
  if (username || password || hash) return false
  if (isLocal) return protocol === 'https:' || protocol === 'http:'
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (protocol !== 'https:' || port !== '') return false
  if (isIP(literal)) return isPublicAddress(literal)
  return /\.[a-z][a-z0-9-]*[a-z]$/i.test(hostname) && !/\.(?:localhost|local|internal|home\.arpa)$/i.test(hostname)
}

/** Headers of Standard Webhooks: id, time of this attempt, and the signature of both with the body. */
export function webhookHeaders(secret: Buffer, { id, body }: { id: string; body: string }, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

export interface Posted {
  status: number | null
  error: string | null
}

type Lookup = (hostname: string, done: (error: Error | null, addresses?: readonly LookupAddress[]) => void) => void

interface PostOptions {
  isLocal?: boolean
  /** Resolves names; tests have their own. */
  lookup?: Lookup
  /** DNS servers other than the system's, likewise. */
  servers?: readonly string[]
  signal?: AbortSignal
}

const timeoutMs = 10_000

/**
 * Sends one message. Redirects are not followed, and the name is resolved once, for the connection itself, so that what was
 * checked is what is called. Throws only if the caller's signal aborts, which says nothing about the endpoint.
 */
export function postWebhook(
  url: string,
  body: string,
  headers: Record<string, string>,
  { isLocal = !settings().isPublic, lookup, servers, signal }: PostOptions = {},
): Promise<Posted> {
  if (!isEndpointUrl(url, isLocal)) return Promise.resolve({ status: null, error: 'address-refused' })
  const target = new URL(url)
  const ends = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  const named: Lookup = (hostname, done) =>
    void resolveName(hostname, { isLocal, signal: ends, ...(servers && { servers }) }).then((addresses) => done(null, addresses), done)
  const find = lookup ?? named
  const checked: LookupFunction = (hostname, options, done) =>
    find(hostname, (error, addresses) => {
      // Undefined beside an error, whatever the types of Node say.
      const first = addresses?.[0]
      if (error || !addresses || !first) return done(error ?? new Error('name-unknown'), '', 0)
      if (!isLocal && addresses.some(({ address }) => !isPublicAddress(address))) return done(new Error('address-refused'), '', 0)
      return options.all ? done(null, [...addresses]) : done(null, first.address, first.family)
    })
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((settle, abandon) => {
    const request = send(
      target,
      {
        method: 'POST',
        agent: false,
        lookup: checked,
        signal: ends,
        headers: {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Purlin-Webhooks/1',
        },
      },
      (response) => {
        // Only the status counts; what else is said is not read.
        response.destroy()
        const status = response.statusCode ?? 0
        settle({ status, error: status >= 200 && status < 300 ? null : 'status' })
      },
    )
    // A response that switches protocols closes the request without a response or an error.
    request.on('close', () => settle({ status: null, error: 'connection-failed' }))
    request.on('error', (error) => {
      if (signal?.aborted) return abandon(error)
      const isLate = error.name === 'AbortError' || error.name === 'TimeoutError'
      settle({ status: null, error: isLate ? 'timeout' : error.message === 'address-refused' ? 'address-refused' : 'connection-failed' })
    })
    request.end(body)
  })
}
