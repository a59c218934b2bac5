import { BlockList, isIPv6 } from 'node:net'

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Private and shared address space, which nobody on the Internet sends from: a list may name each as a whole. */
const ownNetworks = (
  [
    ['127.0.0.0', 8],
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['100.64.0.0', 10],
    ['169.254.0.0', 16],
    ['fc00::', 7],
    ['fe80::', 10],
  ] as const
).map(([network, bits]) => {
  const block = new BlockList()
  block.addSubnet(network, bits, familyOf(network))
  return { block, bits, family: familyOf(network) }
})

/** The largest single network of addresses that anybody can rent. */
const leastBits = { ipv4: 12, ipv6: 28 }
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
    const family = familyOf(address)
    if (family === 'ipv6' && meetsIpv4(address, bits)) return 'names IPv4 addresses in the form of IPv6, which trusts more than it shows'
    if (isOwnNetwork(address, bits)) continue
    isTooWide ||= bits < leastBits[family]
    share[family] += 2 ** -bits
  }
  return (isTooWide || share.ipv4 > mostTrusted.ipv4 || share.ipv6 > mostTrusted.ipv6) && 'trusts every address, or nearly'
}

/** Whether a network, or a single address, lies within private or shared address space. */
export function isOwnNetwork(address: string, bits = 128): boolean {
  const family = familyOf(address)
  return ownNetworks.some((own) => own.family === family && bits >= own.bits && own.block.check(address, family))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/** Whether a network of IPv6 contains IPv4 addresses in their mapped form (`::ffff:10.0.0.1`), as which a proxy's address is compared. */
function meetsIpv4(address: string, bits: number): boolean {
  if (!(bits >= 0 && bits <= 128)) return false
  const network = new BlockList()
  network.addSubnet(address, bits, 'ipv6')
  return mapped.check(address, 'ipv6') || network.check('::ffff:0:0', 'ipv6')
}
