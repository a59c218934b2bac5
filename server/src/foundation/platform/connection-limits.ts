import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type SenderShare, senderSharesOf } from './sender.ts'

/** Per network and process: connections held open, and requests under way. Room for an office behind one address. */
export const limitsPerNetwork = { connections: 256, requests: 64 }

export interface ConnectionOptions {
  /** The client's address, behind trusted proxies. */
  addressOf: (req: IncomingMessage) => string
  /** Sends the refusal of a request, and closes its connection. */
  refuse: (req: IncomingMessage, res: ServerResponse) => void
  limits?: { connections: number; requests: number }
  /** The networks an address counts for. */
  sharesOf?: (address: string) => SenderShare[]
  /** How long a refused connection may wait for the request that its refusal answers. */
  graceMs?: number
}

/**
 * Bounds connections and requests under way by network, so that one sender of slow requests cannot take them all (V-15). A direct
 * connection beyond the limit has its first request refused and is closed; beyond twice the limit it is cut. Connections of
 * our own proxies are not counted: behind them, requests count for the client they are forwarded for.
 *
 * Returns false for a request that it has refused.
 */
export function limitConnections(server: Server, options: ConnectionOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { addressOf, limits = limitsPerNetwork, sharesOf = senderSharesOf, graceMs = 2000 } = options
  const connections = senderCounter()
  const requests = senderCounter()
  const refused = new WeakSet<Socket>()
  const refuse = (req: IncomingMessage, res: ServerResponse) => {
    options.refuse(req, res)
    return false
  }

  server.prependListener('connection', (socket: Socket) => {
    const shares = sharesOf(socket.remoteAddress ?? '')
    if (shares.length === 0) return
    const load = connections.add(shares) / limits.connections
    socket.once('close', () => connections.remove(shares))
    if (load <= 1) return
    if (load > 2) return void socket.destroy()
    refused.add(socket)
    const late = setTimeout(() => socket.destroy(), graceMs)
    socket.once('close', () => clearTimeout(late))
  })

  return (req, res) => {
    if (refused.has(req.socket)) return refuse(req, res)
    const shares = sharesOf(addressOf(req))
    if (shares.length === 0) return true
    if (requests.add(shares) > limits.requests) {
      requests.remove(shares)
      return refuse(req, res)
    }
    res.once('close', () => requests.remove(shares))
    return true
  }
}

interface Counter {
  /** Returns the largest count by network, as a network of usual limits would have it. */
  add(shares: readonly SenderShare[]): number
  remove(shares: readonly SenderShare[]): void
}

/** Forgets a key whose count is back at zero: its size is bounded by what is open. */
export function senderCounter(): Counter {
  const counts = new Map<string, number>()
  return {
    add: (shares) => {
      let largest = 0
      for (const { key, factor } of shares) {
        const count = (counts.get(key) ?? 0) + 1
        counts.set(key, count)
        largest = Math.max(largest, count / factor)
      }
      return largest
    },
    remove: (shares) => {
      for (const { key } of shares) {
        const count = (counts.get(key) ?? 1) - 1
        if (count > 0) counts.set(key, count)
        else counts.delete(key)
      }
    },
  }
}
