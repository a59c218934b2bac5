import { boundedCache } from '#platform'
import type { RequestScope } from './request-scope.ts'

interface Kept {
  text: Buffer
  holds: (() => boolean)[]
}

const longestQuestion = 6_000
const longestAnswer = 200_000

export interface SharedAnswers {
  /** The answer's text, while everything in it still holds. */
  find(key: string | null): Buffer | undefined
  /** Keeps an answer without errors, if every question in it was answered for everybody. */
  keep(key: string | null, scope: RequestScope, body: object): Buffer | undefined
}

/** Finished answers that are the same for every visitor of a site: made and written out once, by the word of those who answered. */
export function createSharedAnswers(most = 300): SharedAnswers {
  const kept = boundedCache<Kept>(most)
  return {
    find(key) {
      const known = key === null ? undefined : kept.get(key)
      if (!known) return undefined
      if (known.holds.every((holds) => holds())) return known.text
      kept.delete(key as string)
      return undefined
    },
    keep(key, { sharing: { asked, holds, isPersonal } }, body) {
      if (key === null || isPersonal || asked === 0 || holds.length !== asked) return undefined
      const text = Buffer.from(JSON.stringify(body))
      if (text.length <= longestAnswer) kept.set(key, { text, holds })
      return text
    },
  }
}

/** All that an answer may depend on besides what its questions know of; null when it is too long to be worth keeping. */
export function sharedKey(
  { market, mode, prefersVat }: RequestScope,
  query: string,
  variables: object | undefined,
  name = '',
): string | null {
  if (query.length > longestQuestion) return null
  const key = `${market}|${mode}|${prefersVat}|${name}|${JSON.stringify(variables ?? {})}|${query}`
  return key.length > longestQuestion ? null : key
}
