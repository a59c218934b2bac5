import { headerSafe } from './last-resort.ts'
import type { Reply } from './reply.ts'

/**
 * A shared page is rendered without the parameters that its policy does not name, such as those of an advertisement. Its redirect
 * keeps them, because scripts of the page that it leads to read them.
 */
export function withLeftOut(reply: Reply, search: string, named: readonly string[]): Reply {
  const { location } = reply.headers
  if (location === undefined || !/^\/(?!\/)/.test(location)) return reply
  const leftOut = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !named.includes(nameOf(part)))
  if (leftOut.length === 0) return reply
  const [address = '', ...fragment] = location.split('#')
  const extended = `${address}${address.includes('?') ? '&' : '?'}${leftOut.join('&')}`
  return { ...reply, headers: { ...reply.headers, location: headerSafe([extended, ...fragment].join('#')) } }
}

/** Of `f%5Bbrand%5D=12` it is `f`. */
const nameOf = (part: string): string => new URLSearchParams(part).keys().toArray()[0]?.split('[', 1)[0] ?? ''
