import { BlockList, isIPv6 } from 'node:net'
import { isNear } from './near.ts'

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** The largest single network: one of addresses that anybody can rent, and a private one. */
const leastBits = { ipv4: 12, ipv6: 28 }
const leastPrivateBits = { ipv4: 8, ipv6: 7 }
/** The most a list may add up to: a provider's whole list of proxies is far smaller. */
const mostTrusted = { ipv4: 2 ** -7, ipv6: 2 ** -15 }

/**
 * The problem with a list of trusted proxies, phrased to follow "TRUST_PROXY is …"; false if there is none. Every trusted address may
 * claim to be any visitor, so the networks are judged together: many small ones trust as much as one large one.
 */
export function proxyListProblem(list: string): string | false {
  const share = { ipv4: 0, ipv6: 0 }
  let isTooWide = false
  for (const entry of list.split(',')) {
    const [address = '', given] = entry.trim().split('/')
    // The names of private ranges and single addresses trust few.
    if (given === undefined) continue
    const bits = Number(given)
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (family === 'ipv6' && meetsIpv4(address, bits)) return 'names IPv4 addresses in the form of IPv6, which trusts more than it shows'
    if (isNear(address) && bits >= leastPrivateBits[family]) continue
    isTooWide ||= bits < leastBits[family]
    share[family] += 2 ** -bits
  }
  return (isTooWide || share.ipv4 > mostTrusted.ipv4 || share.ipv6 > mostTrusted.ipv6) && 'trusts every address, or nearly'
}

/** Whether a network of IPv6 contains IPv4 addresses in their mapped form (`::ffff:10.0.0.1`), as which a proxy's address is compared. */
function meetsIpv4(address: string, bits: number): boolean {
  if (!(bits >= 0 && bits <= 128)) return false
  const network = new BlockList()
  network.addSubnet(address, bits, 'ipv6')
  return mapped.check(address, 'ipv6') || network.check('::ffff:0:0', 'ipv6')
}
