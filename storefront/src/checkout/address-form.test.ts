import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'graphql'
import { addressFields, billingFields, nameParts } from './address-form.ts'

const contract = parse(readFileSync(new URL('../../../contract/graphql/checkout.graphql', import.meta.url), 'utf8'))

function fieldsOf(input: string): string[] {
  for (const each of contract.definitions)
    if (each.kind === 'InputObjectTypeDefinition' && each.name.value === input) return (each.fields ?? []).map(({ name }) => name.value)
  return []
}

test('the address form has every field of an order', () => {
  const written = addressFields.flatMap((name) => (name === 'name' ? ['firstName', 'lastName'] : [name]))
  assert.deepEqual([...written, 'billing', 'keep'].toSorted(), fieldsOf('AddressInput').toSorted())
  assert.deepEqual([...billingFields].toSorted(), fieldsOf('BillingAddressInput').toSorted())
})

test('V-41 a name in one field is printed as it was typed, wherever it is split', () => {
  const names = ['Ann Lee', 'María José García-López', 'Jan van der Berg', "Seán O'Neill", '  Li   Wei ', 'Cher']
  assert.deepEqual(names.map(nameParts), [
    { firstName: 'Ann', lastName: 'Lee' },
    { firstName: 'María', lastName: 'José García-López' },
    { firstName: 'Jan', lastName: 'van der Berg' },
    { firstName: 'Seán', lastName: "O'Neill" },
    { firstName: 'Li', lastName: 'Wei' },
    { firstName: 'Cher', lastName: '' },
  ])
})
