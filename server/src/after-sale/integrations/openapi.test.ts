import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)

interface Operation {
  operationId: string
  parameters: { name?: string; in?: string }[]
  security: { key: string[] }[]
  responses: Record<string, { content?: Record<string, { schema: object }> }>
  requestBody?: { content: { 'application/json': { schema: { properties: { events: { items: { enum: string[] } } } } } } }
}
interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: { properties: { type: { const: string } } } } } } } }
  >
  components: { schemas: Record<string, object> }
}
const response = await fetch(`${gateway.url}/api/seller/v1/openapi.json`)
const document = (await response.json()) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
)

test('the OpenAPI 3.1 document is public and lists exactly the routes of the router, with the scopes of their keys', () => {
  assert.deepEqual([response.status, document.openapi], [200, '3.1.0'])
  const base = new URL(document.servers[0]?.url ?? '').pathname
  const mounted = gateway.routes
    .filter(({ url, method, config }) => url.startsWith(`${base}/`) && method !== 'HEAD' && config?.keyScope !== undefined)
    .map(({ url, method, config }) => `${String(method)} ${url.slice(base.length).replaceAll(/:(\w+)/g, '{$1}')} ${config?.keyScope}`)
  const listed = operations.map(({ path, method, security }) => `${method.toUpperCase()} ${path} ${security[0]?.key[0]}`)
  assert.deepEqual(listed.toSorted(), mounted.toSorted())
  const keyless = gateway.routes.filter(({ url, config }) => url.startsWith(base) && config?.keyScope === undefined)
  assert.deepEqual([...new Set(keyless.map(({ url }) => url))], [`${base}/openapi.json`])
})

test('names of operations are unique, parameters of paths are declared, and every schema is valid JSON Schema 2020-12', () => {
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { path, parameters } of operations)
    assert.deepEqual(
      parameters.filter((each) => each.in === 'path').map(({ name }) => name),
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    )
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const { responses } of operations)
    for (const { content = {} } of Object.values(responses))
      for (const { schema } of Object.values(content)) void ajv.validateSchema(schema, true)
})

test('the document describes the body of the message of each event that an address can be told of', () => {
  const { requestBody } = document.paths['/webhooks']?.['post'] ?? {}
  const offered = requestBody?.content['application/json'].schema.properties.events.items.enum ?? []
  assert.ok(offered.length > 0)
  assert.deepEqual(Object.keys(document.webhooks).toSorted(), offered.toSorted())
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [event, { post }] of Object.entries(document.webhooks)) {
    const { schema } = post.requestBody.content['application/json']
    assert.equal(schema.properties.type.const, event)
    void ajv.validateSchema(schema, true)
  }
})
