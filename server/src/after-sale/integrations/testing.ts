import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { newId, type Db, type Pool } from '#platform'
import { keyScopes, type KeyScope } from './key-scopes.ts'
import { newKey } from './seller-key.ts'
import { openApiDocument } from './openapi.ts'
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

/** For tests: messages that wait for their next attempt are due. */
export async function attemptNow({ pool }: { pool: Pool }): Promise<void> {
  await pool.query(`update integrations.delivery set next_at = now() where state = 'waiting'`)
  await pool.query('update integrations.endpoint set resting_until = null')
  await pool.query(`update platform.job set run_at = now() where name = 'integrations.send-round'`)
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
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    const answer = type.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : { text }
    agrees(method, path, { status: response.status, type, answer })
    return { status: response.status, body: answer, headers: response.headers }
  }
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>>
  components: { schemas: { Problem: object } }
}
const document = openApiDocument('http://localhost') as unknown as Described
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

/** Fails when an answer is not what the document says. */
function agrees(method: string, path: string, { status, type, answer }: { status: number; type: string; answer: object }): void {
  const [plain = ''] = path.split('?')
  const known = Object.entries(document.paths).find(
    ([template, methods]) => method.toLowerCase() in methods && new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(plain),
  )
  const said = known?.[1][method.toLowerCase()]?.responses[status]
  if (!said) assert.ok(status >= 400 && type === 'application/problem+json', `${method} ${path} answers ${status} ${type}`)
  const schema = said ? said.content?.[type]?.schema : document.components.schemas.Problem
  if (said && !said.content) return assert.equal(status, 204)
  assert.ok(schema, `${method} ${path} answers ${type}`)
  assert.ok(ajv.validate(schema, answer), `${method} ${path}: ${ajv.errorsText()}`)
}
