import { BlockList, isIPv6 } from 'node:net'

/** This machine and private networks, where our own proxies and probes are. */
export function isNear(address = ''): boolean {
  return near.check(address.replace(/^::ffff:/, ''), isIPv6(address.replace(/^::ffff:/, '')) ? 'ipv6' : 'ipv4')
}
const near = new BlockList()
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(net, bits)
near.addAddress('::1', 'ipv6')
near.addSubnet('fc00::', 7, 'ipv6')
