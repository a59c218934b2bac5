import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildSchema, parse, validate } from 'graphql'
import { addressFields } from './address-form.ts'
import * as order from './order.ts'

const folder = join(import.meta.dirname, '../../../contract/graphql')
const schema = buildSchema(
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n'),
)
const documents = Object.entries(order).flatMap(([name, value]): [string, string][] => (typeof value === 'string' ? [[name, value]] : []))

for (const [name, document] of documents) {
  test(`${name} is answered by the published API`, () => {
    assert.deepEqual(
      validate(schema, parse(document)).map(({ message }) => message),
      [],
    )
  })
}

test('there are documents to check', () => assert.ok(documents.length >= 8))

test('the address form asks for every field an order needs', () => {
  const input = schema.getType('AddressInput')
  assert.ok(input && 'getFields' in input)
  const asked = Object.keys(input.getFields()).filter((field) => field !== 'billing')
  assert.deepEqual([...addressFields].toSorted(), asked.toSorted())
})
