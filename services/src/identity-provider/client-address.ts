import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { addressIn, networkOf } from '@purlin/server/foundation/platform/index.ts'

const named: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** The client's network (IPv6 by /64). For limits, never for permissions. */
export function clientAddress(request: IncomingMessage, forwarded: string | undefined, trustProxy: string | undefined): string {
  return networkOf(nearestAddress(request, forwarded, trustProxy))
}

/** The line that a network belongs to: one customer may have a whole IPv6 /48, which is 65,536 networks. */
export function lineOf(network: string): string {
  return network.includes(':') ? network.split(':').slice(0, 3).join(':') : network
}

/** The nearest address that is not a trusted proxy. */
export function nearestAddress(request: IncomingMessage, forwarded: string | undefined, trustProxy: string | undefined): string {
  const chain = [...(forwarded ?? '').split(',').map((part) => part.trim()), request.socket.remoteAddress ?? '']
  const trusted = trustedBy(trustProxy)
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  let address = plainAddress(chain.pop() ?? '')
  while (chain.length > 0 && isIP(address) && trusted.check(address, family(address))) {
    const next = addressIn(chain.pop() ?? '')
    if (next === null) break
    address = next
  }
  return address
}

/** "::ffff:10.0.0.1" is 10.0.0.1. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

const lists = new Map<string, BlockList>()
function trustedBy(setting = ''): BlockList {
  const known = lists.get(setting)
  if (known) return known
  const list = new BlockList()
  for (const entry of setting.split(',').flatMap((part) => named[part.trim()] ?? [part.trim()])) {
    const [address = '', bits] = entry.split('/')
    const version = isIP(address)
    if (version === 0) continue
    list.addSubnet(address, bits === undefined ? (version === 6 ? 128 : 32) : Number(bits), version === 6 ? 'ipv6' : 'ipv4')
  }
  lists.set(setting, list)
  return list
}
