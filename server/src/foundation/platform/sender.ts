import { hash } from 'node:crypto'
import { isNear } from './near.ts'

/** A request asks for its sender's hash several times, and its sender sends several requests. */
const remembered = new Map<string, string | null>()
const maxRemembered = 2000

/** A hash of the sender's network, for limits. Our own proxy stands for everybody behind it and is exempt. */
export function senderHashOf(address: string | undefined): string | null {
  if (!address) return null
  const known = remembered.get(address)
  if (known !== undefined) return known
  const made = isNear(address) ? null : hashOf(networkOf(address))
  if (remembered.size >= maxRemembered) remembered.clear()
  remembered.set(address, made)
  return made
}

/**
 * A hash of the line that an address belongs to, where many lines have to agree: IPv6 by /48, the most that a customer has, and IPv4 by
 * /24. Null for our own network.
 */
export function lineHashOf(address: string | undefined): string | null {
  if (!address || isNear(address)) return null
  const network = networkOf(address)
  return hashOf(network.includes(':') ? network.split(':').slice(0, 3).join(':') : network.split('.').slice(0, 3).join('.'))
}

const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** A network that an address counts for, and how many times the usual limits it has. */
export interface SenderShare {
  key: string
  factor: number
}

/**
 * The networks that an address counts for while its requests are under way; none for our own. An IPv6 line may have a whole /48, which is
 * 65,536 networks of /64: together they have four times as much as one of them.
 */
export function senderSharesOf(address: string): SenderShare[] {
  const key = senderHashOf(address)
  if (key === null) return []
  const network = networkOf(address)
  if (!network.includes(':')) return [{ key, factor: 1 }]
  return [
    { key, factor: 1 },
    { key: network.split(':').slice(0, 3).join(':'), factor: 4 },
  ]
}

/** An IPv6 customer line has a whole /64: its addresses count as one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const start = head ? head.split(':') : []
  const end = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - start.length - end.length
  return [...start, ...Array.from({ length: zeros }, () => '0'), ...end]
    .slice(0, 4)
    .map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}
