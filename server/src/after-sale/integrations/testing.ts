import { randomUUID } from 'node:crypto'
import { newId, type Db } from '#platform'
import { keyScopes, type KeyScope } from './key-scopes.ts'
import { newKey } from './seller-key.ts'
import { insertKey } from './store.ts'

/** For tests: a key of a seller, and a client that knows nothing but HTTP. */
export async function addKey(
  db: Db,
  sellerId: number,
  { scopes = keyScopes, expiresAt = new Date(Date.now() + 86_400_000) }: { scopes?: readonly KeyScope[]; expiresAt?: Date } = {},
): Promise<{ id: string; key: string }> {
  const { key, prefix, hash } = newKey()
  const id = newId()
  await insertKey(db, { id, sellerId, name: 'Shop system', prefix, hash, scopes, createdBy: 'test', expiresAt }, new Date(), 1000)
  return { id, key }
}

export interface Answer {
  status: number
  body: Record<string, unknown>
  headers: Headers
}

export function caller(url: string, key: string) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${url}/api/seller/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text }, headers: response.headers }
  }
}
