import { ownMemory } from '@purlin/contract/own-memory.ts'
import { boundedCache } from '#platform'
import { isLongerThan } from './is-longer.ts'
import { limits } from './limits.ts'
import type { RequestScope } from './request-scope.ts'

interface Kept {
  text: Buffer
  holds: (() => boolean)[]
}

const maxQueryLength = 6_000
const maxResponseLength = 200_000

export interface SharedAnswers {
  /** The serialised result, while everything in it is still valid. */
  find(key: string | null): Buffer | undefined
  /** Serialises and caches a result without errors, if every resolver in it marked it as shareable and it may be sent. */
  keep(key: string | null, scope: RequestScope, body: object): Buffer | undefined
}

/** Also counts what its resolvers remember to know whether it is still valid. */
const bytesOf = ({ text, holds }: Kept, key: string): number => 500 + text.length + 2 * key.length + 200 * holds.length

/** Results that are the same for every visitor of a site: computed and serialised once, if every resolver marked them shareable. */
export function createSharedAnswers(maxBytes = 16 * 2 ** 20): SharedAnswers {
  const kept = boundedCache<Kept>(maxBytes, bytesOf)
  return {
    find(key) {
      const known = key === null ? undefined : kept.get(key)
      if (!known) return undefined
      if (known.holds.every((holds) => holds())) return known.text
      kept.delete(key as string)
      return undefined
    },
    keep(key, { sharing: { asked, holds, isPersonal } }, body) {
      if (key === null || isPersonal || asked === 0 || holds.length !== asked || isLongerThan(body, limits.answerBytes)) return undefined
      const text = Buffer.from(JSON.stringify(body))
      if (text.length <= maxResponseLength) kept.set(key, { text: ownMemory(text), holds })
      return text
    },
  }
}

/** Everything a result may depend on besides the data its resolvers track, the coerced values of its variables; null when it is too long to be worth caching. */
export function sharedKey({ market, mode, prefersVat }: RequestScope, query: string, coerced: object, name = ''): string | null {
  if (query.length > maxQueryLength) return null
  const key = `${market}|${mode}|${prefersVat}|${name}|${JSON.stringify(coerced)}|${query}`
  return key.length > maxQueryLength ? null : key
}
