import type { LookupAddress } from 'node:dns'
import { Resolver, lookup } from 'node:dns/promises'

/** For each server; the second try waits twice as long. */
const timeoutMs = 1500
const tries = 2
/**
 * Time for IPv6 addresses once those of IPv4 are known: some DNS servers never answer queries for them. The reverse is not known of any, and a
 * machine without a route for IPv6 needs the address that comes late.
 */
const secondMs = 250
/** Unknown to the DNS servers, or none of them helps. */
const mayBeInHosts = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT']

interface ResolveOptions {
  /** Whether names may be those of this machine: localhost and its hosts file. */
  isLocal: boolean
  /** Ends the queries. */
  signal: AbortSignal
  /** DNS servers other than the system's; tests have their own. */
  servers?: readonly string[]
}

/**
 * The addresses of a name that a stranger has chosen. Node's usual lookup, getaddrinfo, cannot be cancelled and occupies one of a few
 * threads of the process: names whose DNS server never answers would keep all other calls from being made. These queries are sockets of
 * the event loop, with a timeout.
 */
export async function resolveName(hostname: string, { isLocal, signal, servers }: ResolveOptions): Promise<LookupAddress[]> {
  if (isLocal && /^(?:.+\.)?localhost$/i.test(hostname)) return loopback
  // One for each name, as it can only be cancelled as a whole.
  const resolver = new Resolver({ timeout: timeoutMs, tries })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    signal.throwIfAborted()
    const queries = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const
    const endSecond = () => void setTimeout(cancel, secondMs).unref()
    queries[0].then(endSecond, () => undefined)
    const [four, six] = await Promise.allSettled(queries)
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
    if (found.length > 0) return found
    const error = (four as PromiseRejectedResult).reason as NodeJS.ErrnoException
    if (isLocal && mayBeInHosts.includes(error.code ?? '')) return await lookup(hostname, { all: true })
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
