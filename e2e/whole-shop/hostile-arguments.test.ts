/** One hostile text at a time in an operation whose other arguments are valid, so that it gets as far as that argument does. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Mode } from '@purlin/contract/markets.ts'
import { getNamedType, isInputObjectType, isNonNullType, type GraphQLArgument, type GraphQLInputField } from 'graphql'
import { untilFree } from '../support/ask.ts'
import { allFieldsOf, validValue } from '../support/operations.ts'
import { idsOf, named, roots, shop, theirs, type Root } from './foreign-things.ts'
import { hostile, internals } from './hostile-texts.ts'
import type { Owner, VisitorName } from './visitors.ts'

/** Paths of all arguments and input fields that are text. */
function textsOf(path: string, values: readonly (GraphQLArgument | GraphQLInputField)[], seen: readonly string[] = []): string[] {
  return values.flatMap(({ name, type }) => {
    const at = `${path}.${name}`
    const of = getNamedType(type)
    if (isInputObjectType(of)) return seen.includes(of.name) ? [] : textsOf(at, Object.values(of.getFields()), [...seen, of.name])
    return of.name === 'String' || of.name === 'ID' ? [at] : []
  })
}

function callWith({ kind, field }: Root, values: Record<string, string>) {
  const isNamed = (at: string) => Object.keys(values).some((path) => path === at || path.startsWith(`${at}.`))
  const args = field.args.filter(({ name, type }) => isNonNullType(type) || isNamed(`${field.name}.${name}`))
  const head = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ')
  const variables = Object.fromEntries(args.map(({ name, type }) => [name, validValue(`${field.name}.${name}`, type, values)]))
  return { query: `${kind} (${head}) { answer: ${field.name}(${passed}) ${allFieldsOf(field.type, 1)} }`, variables }
}

const untouched = async () =>
  (
    await shop.database.pool.query(
      `select (select count(*) from accounts.staff) as staff, to_regclass('orders.customer_order') as orders,
        (select array_agg((id, price) order by id) from catalogue.offer) as offers`,
    )
  ).rows

/** Each needs another right; the third and fourth are staff, who reach what no customer does. */
const visitors: readonly (readonly [visitor: VisitorName, mode: Mode, buyer: Owner])[] = [
  ['customer', 'b2c', 'customer'],
  ['member', 'b2b', 'member'],
  ['clerk', 'b2c', 'customer'],
  ['operator', 'b2c', 'customer'],
]

for (const [visitor, mode, buyer] of visitors)
  test(`A52 a hostile text in one argument beside valid ones is a value, for the ${visitor} on ${mode}`, async () => {
    const before = await untouched()
    const reached = new Set<string>()
    for (const root of roots) {
      const { field } = root
      const valid: Record<string, string> = {}
      for (const path of idsOf(field.name, field.args)) {
        const thing = named[path]
        const id = thing === undefined || thing === 'public' || thing === 'secret' ? null : theirs(buyer, thing)
        if (id !== null) valid[path] = id
      }
      for (const path of textsOf(field.name, field.args))
        for (const text of hostile) {
          // Keys are used once.
          if (path !== `${field.name}.idempotencyKey`) valid[`${field.name}.idempotencyKey`] = randomUUID()
          const { status, body, ms } = await untilFree(async () => {
            const startedAt = performance.now()
            const answer = await shop.ask(visitor, mode, '/graphql', { json: callWith(root, { ...valid, [path]: text }) })
            return { ...answer, ms: performance.now() - startedAt }
          })
          assert.ok(status < 500, `${path} ${text}: ${status} ${body.slice(0, 200)}`)
          assert.doesNotMatch(body, internals, `${path} ${text}`)
          assert.ok(ms < 3500, `${path} ${text}: slept`)
          // What this visitor may not do is refused before its arguments mean anything.
          if (/"(?:UNAUTHENTICATED|FORBIDDEN)"/.test(body)) break
          if (status === 200) reached.add(path)
        }
    }
    assert.ok(reached.size > 150, `${reached.size}`)
    assert.deepEqual(await untouched(), before)
  })
