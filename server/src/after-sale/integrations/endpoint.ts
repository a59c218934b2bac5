import type { PersonalAction } from '@purlin/contract/actions.ts'
import * as v from 'valibot'
import type { Scope } from '#platform'
import type { KeyScope } from './key-scopes.ts'

/** One call of the sellers' API: its route, its schemas, and the operation it runs. The router and the OpenAPI document both derive from it. */
export interface Endpoint {
  /** Name of the operation in the document. */
  id: string
  method: 'get' | 'post' | 'put' | 'delete'
  /** Below the base path, in OpenAPI's notation: "/orders/{orderId}". */
  path: string
  summary: string
  description?: string
  tag: string
  scope: KeyScope
  action: PersonalAction
  status: 200 | 201 | 204
  params: v.GenericSchema
  query: v.GenericSchema
  /** Null for a call without a body. */
  body: v.GenericSchema | null
  result: v.GenericSchema | null
  /** Whether it needs an Idempotency-Key. */
  isKeyed: boolean
  /** The call with its input parsed, or what is wrong with it. */
  prepare(raw: RawInput): Prepared
}

export interface RawInput {
  params: unknown
  query: unknown
  body: unknown
  key: string
}
export type Prepared = { ok: true; run(scope: Scope): Promise<Outcome> } | { ok: false; issues: Issue[] }
export interface Issue {
  path: string
  message: string
}
export type Outcome = { ok: true; body: unknown } | { ok: false; reason: string }

type Entries = v.ObjectEntries
type Fields<Of extends Entries> = v.StrictObjectSchema<Of, undefined>

interface Input<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  /** The Idempotency-Key; empty for calls without one. */
  key: string
}

interface Given<Params extends Entries, Query extends Entries, Body extends v.GenericSchema> extends Pick<
  Endpoint,
  'id' | 'method' | 'path' | 'summary' | 'description' | 'tag' | 'scope' | 'action'
> {
  status?: Endpoint['status']
  params?: Fields<Params>
  query?: Fields<Query>
  body?: Body
  result: v.GenericSchema | null
  /** Default: every POST. */
  isKeyed?: boolean
  handle(scope: Scope, input: Input<v.InferOutput<Fields<Params>>, v.InferOutput<Fields<Query>>, v.InferOutput<Body>>): Promise<Outcome>
}

const nothing = v.strictObject({})
type Nothing = Record<never, never>

export function endpoint<
  Params extends Entries = Nothing,
  Query extends Entries = Nothing,
  Body extends v.GenericSchema = v.GenericSchema<undefined>,
>(given: Given<Params, Query, Body>): Endpoint {
  const { params, query, body, status = 200, isKeyed = given.method === 'post', handle, ...facts } = given
  const schema = v.object({
    params: params ?? nothing,
    query: query ?? nothing,
    body: body ?? v.unknown(),
  })
  return {
    ...facts,
    status,
    isKeyed,
    params: params ?? nothing,
    query: query ?? nothing,
    body: body ?? null,
    prepare: ({ key, ...raw }) => {
      // A POST without a body means one without fields.
      const parsed = v.safeParse(schema, { ...raw, body: raw.body ?? (body ? {} : undefined) })
      if (!parsed.success)
        return { ok: false, issues: parsed.issues.map((issue) => ({ path: v.getDotPath(issue) ?? '', message: issue.message })) }
      const input = { ...parsed.output, key } as Input<v.InferOutput<Fields<Params>>, v.InferOutput<Fields<Query>>, v.InferOutput<Body>>
      return { ok: true, run: (scope) => handle(scope, input) }
    },
  }
}

/** The result of a call, from what an operation returned: null is an object the seller has none of. */
export function found(value: unknown, reason = 'not-found'): Outcome {
  return value === null || value === undefined ? { ok: false, reason } : { ok: true, body: value }
}
