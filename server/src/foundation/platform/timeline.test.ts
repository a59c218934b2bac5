import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modules } from '../../modules.ts'
import { frozenMigrations } from './frozen-migrations.ts'
import { problemsOf } from './check-migration.ts'
import { listMigrations, migrationOf } from './timeline.ts'

const ids = listMigrations().map(({ id }) => id)
const timed = ids.filter((id) => /\/\d{12}-/.test(id))

test('V-56 all modules share one timeline: the numbered migrations of the first release by module, then the others by time', () => {
  const numbered = ids.slice(0, ids.length - timed.length)
  assert.ok(numbered.every((id) => /\/\d{3}-/.test(id)))
  const order = ['platform', ...modules]
  const folders = numbered.map((id) => id.split('/')[0] ?? '')
  assert.deepEqual(
    folders,
    folders.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
  )
  const times = timed.map((id) => id.split('/')[1]?.slice(0, 12))
  assert.deepEqual(times, times.toSorted())
  const below = order.slice(0, order.indexOf('accounts') + 1)
  assert.ok(listMigrations('accounts').every(({ id }) => below.includes(id.split('/')[0] ?? '')))
})

test('V-56 the numbered migrations of the first releases are unchanged, and there are no others', () => {
  const numbered = listMigrations().filter(({ id }) => /\/\d{3}-/.test(id))
  assert.deepEqual(Object.fromEntries(numbered.map(({ id, checksum }) => [id, checksum])), frozenMigrations)
})

test('V-56 every migration of the shop can run alongside the previous release', () => {
  assert.deepEqual(listMigrations().flatMap(problemsOf), [])
})

const unfit: [what: string, file: string, text: string, problem: RegExp][] = [
  ['drops a column', 'gift.sql', 'alter table cart.line drop column gift;', /contract/],
  ['renames a table', 'gift.sql', 'alter table cart.line rename to row;', /contract/],
  ['drops a table', 'gift.sql', 'drop table cart.line;', /contract/],
  ['builds an index under a lock', 'gift.sql', 'create index line_gift on cart.line (gift);', /concurrent/],
  ['builds one concurrently in a transaction', 'gift.sql', 'create index concurrently line_gift on cart.line (gift);', /file of its own/],
  ['changes a type', 'gift.sql', 'alter table cart.line alter column gift type text;', /whole table/],
  ['reads a whole table under a lock', 'gift.sql', 'alter table cart.line alter gift set not null;', /whole table/],
  ['checks all rows under a lock', 'gift.sql', 'alter table cart.line add constraint c check (gift > 0);', /not valid/],
  ['writes all rows at once', 'gift.sql', 'update cart.line set gift = 1;', /batches/],
  ['makes a table outside of a transaction', 'gift.concurrent.sql', 'create table cart.gift (id int);', /only/],
  ['fills without a checkpoint', 'gift.backfill.sql', 'update cart.line set gift = 1', /last key as \$1/],
]
for (const [what, file, text, problem] of unfit)
  test(`V-56 a migration that ${what} is refused`, () => {
    assert.match(problemsOf(migrationOf(`cart/202611221200-${file}`, text)).join('\n'), problem)
  })

const fit: [file: string, text: string][] = [
  ['gift.sql', 'create table cart.gift (id int); create index gift_id on cart.gift (id); alter table cart.line add column gift text;'],
  ['gift.sql', 'alter table cart.line add constraint c check (gift > 0) not valid;\nalter table cart.line alter gift drop not null;'],
  ['gift.concurrent.sql', 'create index concurrently a on cart.line (b);\nalter table cart.line validate constraint c;'],
  ['gift.contract.sql', 'alter table cart.line drop column gift;'],
]
for (const [file, text] of fit)
  test(`V-56 ${file} may ${text.slice(0, 40)} …`, () => {
    assert.deepEqual(problemsOf(migrationOf(`cart/202611221200-${file}`, text)), [])
  })
