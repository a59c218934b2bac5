import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { quotas } from '#platform'
import { basePath, calls } from './calls.ts'
import type { Endpoint } from './endpoint.ts'
import { keyScopes } from './key-scopes.ts'
import { problemSchema } from './problem.ts'
import { webhookEvents, type WebhookEvent } from './webhook.ts'
import { webhookBody } from './webhook-bodies.ts'

type Json = Record<string, unknown>

/** JSON Schema of a valibot schema, as input: nothing that the API takes or returns is transformed into another type. */
function schemaOf(schema: GenericSchema): Json {
  const { $schema: _dialect, ...json } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    ignoreActions: ['trim', 'iso_timestamp'],
  })
  return { ...json }
}

function parametersOf(schema: GenericSchema, from: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema) as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, property]) => ({ name, in: from, required: required.includes(name), schema: property }))
}

const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' }
const problem = { $ref: '#/components/responses/Problem' }

function operationOf({ id, summary, description, tag, scope, params, query, body, result, status, isKeyed }: Endpoint): Json {
  const content = result && {
    content: { [isFile(result) ? 'application/octet-stream' : 'application/json']: { schema: schemaOf(result) } },
  }
  return {
    operationId: id,
    summary,
    ...(description && { description }),
    tags: [tag],
    security: [{ key: [scope] }],
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), ...(isKeyed ? [idempotencyKey] : [])],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: { [status]: { description: summary, ...content }, default: problem },
  }
}

const header = (name: string, schema: Json) => ({ name, in: 'header', required: true, schema })
const signedHeaders = [
  header('webhook-id', { type: 'string', format: 'uuid', description: 'The same in every attempt and replay' }),
  header('webhook-timestamp', { type: 'string', pattern: '^\\d+$', description: 'The time of this attempt, in seconds since 1970' }),
  header('webhook-signature', { type: 'string', pattern: '^v1,' }),
]

/** A message as the seller's own address receives it. */
function messageOf(event: WebhookEvent): Json {
  return {
    post: {
      summary: `The message of the event ${event}; createWebhook describes its signature`,
      tags: ['Webhooks'],
      security: [],
      parameters: signedHeaders,
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(webhookBody(event)) } } },
      responses: { '2XX': { description: 'Delivered' } },
    },
  }
}

const isFile = (schema: GenericSchema): boolean => schema.type === 'instance'

/** The OpenAPI 3.1 document of the sellers' API, from the schemas that parse its requests. */
export function openApiDocument(origin: string): Json {
  const paths: Record<string, Json> = {}
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method]: operationOf(call) }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Purlin API for sellers',
      version: '1',
      description: [
        'A seller’s orders, messages, returns, refunds and invoices, for the seller’s own programs. One key works in all markets.',
        'Owners of a seller create keys in the offices. A key is sent as a bearer token; it has scopes and expires.',
        `A key may make ${quotas['key-call'].key.units} requests per minute, all keys of a seller together ${quotas['seller-call'].key.units}; then the answer is 429 with Retry-After. Replays of messages, changes of an offer, price lists, groups of companies, refunds and reports on a parcel have limits of their own.`,
        'Lists return fifty objects and a cursor. Amounts are minor units with VAT. Times are UTC.',
        'The same Idempotency-Key with the same request returns the first result again; a refused request may be repeated with its key.',
      ].join('\n\n'),
    },
    servers: [{ url: `${origin}${basePath}` }],
    security: [{ key: [] }],
    paths,
    webhooks: Object.fromEntries(webhookEvents.map((event) => [event, messageOf(event)])),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: `A key of the seller. Scopes: ${keyScopes.join(', ')}` },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: true,
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
        },
      },
      responses: {
        Problem: {
          description: 'A problem',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      schemas: { Problem: schemaOf(problemSchema) },
    },
  }
}
