import { createHmac, timingSafeEqual } from 'node:crypto'
import { SearchRequestError, type SearchParams } from '../types.ts'

export type Right = 'search' | 'browse' | 'write' | 'settings' | 'events' | 'list'

export interface ApiKey {
  key: string
  rights: readonly Right[]
  /** Names, or prefixes ending in `*`; all when absent. */
  indexes?: readonly string[]
  /** A filter expression applied to all reads with this key. Write keys have none. */
  filters?: string
}

export interface Grant {
  rights: readonly Right[]
  indexes: readonly string[] | undefined
  /** Filter expressions applied to every read, whatever the caller requests. */
  restrictions: readonly string[]
  userToken: string | undefined
}

const restrictionNames = ['filters', 'validUntil', 'restrictIndices', 'userToken']

/**
 * A key derived from a search key, carrying parameters its holder cannot change. The format is Algolia's:
 * base64 of HMAC-SHA256(parent, parameters) followed by the parameters in query-string form.
 * Supported are filters, validUntil (seconds), restrictIndices and userToken, each once; a key with any other is refused.
 */
export function securedKey(parent: string, restrictions: Record<string, string | number>): string {
  const text = new URLSearchParams(Object.entries(restrictions).map(([name, value]) => [name, String(value)])).toString()
  return Buffer.from(createHmac('sha256', parent).update(text).digest('hex') + text).toString('base64')
}

/**
 * The permissions of a key's holder.
 * @throws SearchRequestError 403 for an unknown, expired or forged key
 */
export function grantFor(presented: string, keys: readonly ApiKey[], now: number): Grant {
  const plain = keys.find((candidate) => same(candidate.key, presented))
  if (plain) return { rights: plain.rights, indexes: plain.indexes, restrictions: filtersOf(plain), userToken: undefined }
  const decoded = Buffer.from(presented.slice(0, 4_000), 'base64').toString('utf8')
  const signature = decoded.slice(0, 64)
  const text = decoded.slice(64)
  if (/^[0-9a-f]{64}$/.test(signature)) {
    for (const parent of keys) {
      // Only search-only keys may have children: a child of an admin key would be an admin key too.
      if (parent.rights.includes('write') || parent.rights.includes('settings')) continue
      if (!same(createHmac('sha256', parent.key).update(text).digest('hex'), signature)) continue
      return grantOfChild(parent, new URLSearchParams(text), now)
    }
  }
  throw new SearchRequestError('Invalid Application-ID or API key', 403)
}

const filtersOf = ({ filters }: ApiKey): string[] => (filters === undefined ? [] : [filters])

function grantOfChild(parent: ApiKey, restrictions: URLSearchParams, now: number): Grant {
  const names = [...restrictions.keys()]
  const unknown = names.find((name) => !restrictionNames.includes(name))
  if (unknown !== undefined) throw new SearchRequestError(`The API key has an unknown restriction: ${unknown.slice(0, 60)}`, 403)
  if (new Set(names).size < names.length) throw new SearchRequestError('The API key has a restriction twice', 403)
  const validUntil = restrictions.get('validUntil')
  if (validUntil !== null && !(Number(validUntil) * 1_000 > now)) throw new SearchRequestError('The API key has expired', 403)
  const filters = restrictions.get('filters')
  const named = restrictions.get('restrictIndices')
  const indexes = named === null ? parent.indexes : named.split(',').filter((name) => mayUse(name, parent.indexes))
  return {
    rights: parent.rights,
    indexes,
    restrictions: [...filtersOf(parent), ...(filters === null ? [] : [filters])],
    userToken: restrictions.get('userToken') ?? undefined,
  }
}

/** @throws SearchRequestError 403 when the grant does not cover the right or the index */
export function demand(grant: Grant, right: Right, indexName?: string): void {
  if (!grant.rights.includes(right)) throw new SearchRequestError('Method not allowed with this API key', 403)
  if (indexName !== undefined && !mayUse(indexName, grant.indexes)) throw new SearchRequestError('Index not allowed with this API key', 403)
}

/** The caller's parameters with the restrictions of the key applied. */
export function restricted(params: SearchParams, grant: Grant): SearchParams {
  const { userToken, restrictions } = grant
  return {
    ...params,
    ...(userToken === undefined ? {} : { userToken }),
    ...(restrictions.length === 0 ? {} : { restrictions }),
  }
}

/** @throws Error for a key that both writes and has filters: a filter could not restrict its writes */
export function checkKeys(keys: readonly ApiKey[]): void {
  for (const { rights, filters } of keys)
    if (filters !== undefined && (rights.includes('write') || rights.includes('settings')))
      throw new Error('A search key with filters can neither write nor change settings')
}

export function mayUse(indexName: string, allowed: readonly string[] | undefined): boolean {
  if (!allowed) return true
  return allowed.some((name) => (name.endsWith('*') ? indexName.startsWith(name.slice(0, -1)) : name === indexName))
}

function same(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
