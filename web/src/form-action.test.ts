import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { fieldsOf, formAction, namesOf, type FormRefusal } from './form-action.ts'
import { choice, email, optionalText, text, wholeNumber } from './form-input.ts'
import { formFrom } from './form.ts'
import { redirect } from './outcomes.ts'

const schema = v.object({
  name: text(10),
  email: email(),
  note: optionalText(20),
  size: choice(['small', 'large']),
  colour: v.optional(choice(['red', 'blue'])),
  agreed: v.boolean(),
  tags: v.array(text(5)),
  billing: v.object({ city: optionalText(10), country: v.optional(choice(['GB', 'FR'])) }),
  lines: v.array(v.object({ sku: text(10), quantity: wholeNumber({ least: 1, most: 9 }) })),
  byKey: v.optional(v.record(v.string(), text(5)), {}),
})
const context = { t: (key: string, values?: { limit: number }) => `${key}${values?.limit ? ` ${values.limit}` : ''}` }

async function send(entries: [string, string][]) {
  let got: v.InferOutput<typeof schema> | undefined
  const action = formAction(schema, async (_context: typeof context, input) => {
    got = input
    return redirect(303, '/')
  })
  const answer = await action.run(context, formFrom(entries))
  return { got, faults: answer.outcome === 'refuse' ? answer.refusal.fields.map(({ field, message }) => [field, message]) : [] }
}
const right: [string, string][] = [
  ['name', ' Ann '],
  ['email', 'ann@example.com'],
  ['note', ''],
  ['size', 'small'],
  ['tags', 'a'],
  ['tags', 'b'],
  ['billing.city', 'York'],
  ['lines.1.sku', 'second'],
  ['lines.1.quantity', '2'],
  ['lines.0.sku', 'first'],
  ['lines.0.quantity', '1'],
  ['byKey.7', 'post'],
  ['byKey.__proto__', 'x'],
  ['admin', 'yes'],
]

test('V-58 a form becomes typed input: nested, with lists, and nothing that is not in the schema', async () => {
  const { got, faults } = await send(right)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    { ...got, byKey: Object.entries(got?.byKey ?? {}) },
    {
      name: 'Ann',
      email: 'ann@example.com',
      note: null,
      size: 'small',
      agreed: false,
      tags: ['a', 'b'],
      billing: { city: 'York' },
      lines: [
        { sku: 'first', quantity: 1 },
        { sku: 'second', quantity: 2 },
      ],
      byKey: [['7', 'post']],
    },
  )
  assert.equal(({} as { x?: unknown }).x, undefined)
})

test('V-58 each invalid field is reported with its constraint in the visitor’s language, and the handler is not called', async () => {
  const changed = (name: string, value: string | null) =>
    send([...right.filter(([one]) => one !== name), ...(value === null ? [] : [[name, value] as [string, string]])])
  const table: [string, string | null, string][] = [
    ['name', null, 'form.required'],
    ['name', '   ', 'form.required'],
    ['name', 'x'.repeat(11), 'form.too-long 10'],
    ['name', 'a\u0000b', 'form.invalid'],
    ['email', 'nobody', 'form.email'],
    ['size', null, 'form.choice'],
    ['size', 'huge', 'form.choice'],
    ['colour', 'green', 'form.choice'],
    ['billing.country', 'US', 'form.choice'],
    ['lines.1.quantity', '10', 'form.too-large 9'],
    ['lines.1.quantity', '0', 'form.too-small 1'],
    ['lines.1.quantity', '1.5', 'form.number'],
    ['lines.1.quantity', null, 'form.required'],
  ]
  for (const [name, value, message] of table) {
    const { got, faults } = await changed(name, value)
    assert.deepEqual([got, faults], [undefined, [[name, message]]], `${name}: ${value}`)
  }
  const several = await send([])
  assert.deepEqual(
    several.faults.map(([field]) => field),
    ['name', 'email', 'size'],
  )
})

test('V-58 lists and records have at most three hundred entries', async () => {
  for (const name of ['tags', 'lines', 'byKey'] as const) {
    const entries = Array.from({ length: 301 }, (_, index): [string, string] => [
      name === 'tags' ? name : name === 'lines' ? `lines.${index}.sku` : `byKey.${index}`,
      'x',
    ])
    assert.deepEqual((await send([...right, ...entries])).faults, [[name, 'form.too-many 300']])
  }
})

test('V-58 a field shows the entered value with its error, or the known value, and constraints that the browser can check', () => {
  const refusal: FormRefusal = {
    reason: 'input-invalid',
    message: '',
    fields: [{ field: 'billing.city', message: 'Too long.', constraint: 'too-long' }],
  }
  const typed = formFrom([['billing.city', 'Llanfairpwll']])
  const after = fieldsOf(schema, { typed, refusal, known: () => 'known' })
  assert.deepEqual(after('billing.city'), {
    id: 'billing.city',
    name: 'billing.city',
    defaultValue: 'Llanfairpwll',
    error: 'Too long.',
    required: false,
    maxLength: 10,
  })
  assert.deepEqual([after('name').defaultValue, after('name').required], ['', true])
  assert.equal(fieldsOf(schema, { known: (name) => name })('email').defaultValue, 'email')
})

test('V-58 a name that is not in the schema does not compile', () => {
  const name = namesOf(schema)
  assert.deepEqual([name('lines.0.sku'), name('billing.city'), name('byKey.7')], ['lines.0.sku', 'billing.city', 'byKey.7'])
  // @ts-expect-error -- misspelt
  name('emial')
  // @ts-expect-error -- not in this object
  name('billing.town')
  // @ts-expect-error -- input has no such field
  formAction(schema, async (_context: typeof context, input) => redirect(303, input.nmae))
  // @ts-expect-error -- a list of objects has no field of its own
  fieldsOf(schema)('lines')
})
