import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'graphql'
import { addressFields, billingFields } from './address-form.ts'

const contract = parse(readFileSync(new URL('../../../contract/graphql/checkout.graphql', import.meta.url), 'utf8'))

function fieldsOf(input: string): string[] {
  for (const each of contract.definitions)
    if (each.kind === 'InputObjectTypeDefinition' && each.name.value === input) return (each.fields ?? []).map(({ name }) => name.value)
  return []
}

test('the address form has every field of an order', () => {
  assert.deepEqual([...addressFields, 'billing', 'keep'].toSorted(), fieldsOf('AddressInput').toSorted())
  assert.deepEqual([...billingFields].toSorted(), fieldsOf('BillingAddressInput').toSorted())
})
