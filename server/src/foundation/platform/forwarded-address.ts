import { isIP, isIPv4 } from 'node:net'

/** An address of X-Forwarded-For without port and brackets, IPv4 never in the form of IPv6; null if it is none. */
export function addressIn(text: string): string | null {
  const [, inBrackets, withPort] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? []
  const address = inBrackets ?? withPort ?? text.trim()
  if (isIPv4(address)) return address
  if (!isIP(address) || address.includes('%')) return null
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/
    .exec(short)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16))
  return mapped ? mapped.flatMap((part) => [part >> 8, part & 255]).join('.') : short
}
