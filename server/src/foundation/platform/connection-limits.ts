import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { senderHashOf } from './sender.ts'

/** Per network and process: connections held open, and requests under way. Room for an office behind one address. */
export const limitsPerNetwork = { connections: 256, requests: 64 }

export interface ConnectionOptions {
  /** The client's address, behind trusted proxies. */
  addressOf: (req: IncomingMessage) => string
  /** Sends the refusal of a request, and closes its connection. */
  refuse: (req: IncomingMessage, res: ServerResponse) => void
  limits?: { connections: number; requests: number }
  /** The network an address belongs to; null for one that is not counted. */
  networkOf?: (address: string) => string | null
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
  const { addressOf, limits = limitsPerNetwork, networkOf = (address) => senderHashOf(address), graceMs = 2000 } = options
  const connections = counter()
  const requests = counter()
  const refused = new WeakSet<Socket>()
  const refuse = (req: IncomingMessage, res: ServerResponse) => {
    options.refuse(req, res)
    return false
  }

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
    if (refused.has(req.socket)) return refuse(req, res)
    const network = networkOf(addressOf(req))
    if (network === null) return true
    if (requests.add(network) > limits.requests) {
      requests.remove(network)
      return refuse(req, res)
    }
    res.once('close', () => requests.remove(network))
    return true
  }
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
