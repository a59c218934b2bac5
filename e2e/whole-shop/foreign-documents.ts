import { randomUUID } from 'node:crypto'
import { isNonNullType } from 'graphql'
import { allFieldsOf, validValue } from '../support/operations.ts'
import type { Root } from './foreign-things.ts'

/** The field with all of its subfields that need no arguments, two levels deep. */
export function documentFor({ kind, field }: Root, ids: Record<string, string>): { query: string; variables: Record<string, unknown> } {
  const args = field.args.filter(({ name, type }) => isNonNullType(type) || ids[`${field.name}.${name}`] !== undefined)
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const variables = Object.fromEntries(args.map(({ name, type }) => [name, validValue(`${field.name}.${name}`, type, ids)]))
  if ('idempotencyKey' in variables) variables['idempotencyKey'] = randomUUID()
  const head = args.length > 0 ? `(${declared})` : ''
  return {
    query: `${kind} ${head} { answer: ${field.name}${args.length > 0 ? `(${passed})` : ''} ${allFieldsOf(field.type, 2)} }`,
    variables,
  }
}
