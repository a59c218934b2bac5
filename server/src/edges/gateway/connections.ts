import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { metrics } from '../../foundation/platform/metrics.ts'
import { senderHashOf } from '../../foundation/platform/sender.ts'
import { defaultHeaders } from './default-headers.ts'
import { failureAnswer } from './send-failure.ts'

/** Per network and process: connections held open, and requests under way. Room for an office behind one address. */
export const limitsPerNetwork = { connections: 256, requests: 64 }

interface ConnectionOptions {
  hosts: SiteHosts
  /** The client's address, behind trusted proxies. */
  addressOf: (req: IncomingMessage) => string
  limits?: { connections: number; requests: number }
  /** The network an address belongs to; null for one that is not counted. */
  networkOf?: (address: string) => string | null
  /** How long a refused connection may wait for the request that its refusal answers. */
  graceMs?: number
}

/**
 * Bounds connections and requests under way by network, so that one sender of slow requests cannot take them all (V-15). A direct
 * connection beyond the limit has its first request answered with 429 and is closed; beyond twice the limit it is cut. Connections of
 * our own proxies are not counted: behind them, requests count for the client they are forwarded for.
 *
 * Returns false for a request that it has refused.
 */
export function limitConnections(server: Server, options: ConnectionOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { hosts, addressOf, limits = limitsPerNetwork, networkOf = (address) => senderHashOf(address), graceMs = 2000 } = options
  const connections = counter()
  const requests = counter()
  const refused = new WeakSet<Socket>()

  server.prependListener('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    if (network === null) return
    const open = connections.add(network)
    socket.once('close', () => connections.remove(network))
    if (open <= limits.connections) return
    if (open > 2 * limits.connections) return void socket.destroy()
    refused.add(socket)
    const late = setTimeout(() => socket.destroy(), graceMs)
    socket.once('close', () => clearTimeout(late))
  })

  return (req, res) => {
    if (refused.has(req.socket)) return refuse(req, res, hosts)
    const network = networkOf(addressOf(req))
    if (network === null) return true
    if (requests.add(network) > limits.requests) {
      requests.remove(network)
      return refuse(req, res, hosts)
    }
    res.once('close', () => requests.remove(network))
    return true
  }
}

function refuse(req: IncomingMessage, res: ServerResponse, hosts: SiteHosts): false {
  metrics.refused.inc({ by: 'connections', name: 'network' })
  const { headers, body } = failureAnswer(req.headers, { status: 429, message: 'Too many connections from your network' }, hosts)
  res.writeHead(429, { ...defaultHeaders, ...headers, 'retry-after': '5', connection: 'close' }).end(body)
  return false
}

/** Forgets a key whose count is back at zero: its size is bounded by what is open. */
function counter(): { add(key: string): number; remove(key: string): void } {
  const counts = new Map<string, number>()
  return {
    add: (key) => {
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return count
    },
    remove: (key) => {
      const count = (counts.get(key) ?? 1) - 1
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}
