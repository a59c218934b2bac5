import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import * as oidc from 'openid-client'
import { readRegister } from '@purlin/server/after-sale/privacy/personal-data.ts'
import { providerRegister } from '@purlin/server/after-sale/privacy/provider-data.ts'
import { tablesThatSay } from '@purlin/server/after-sale/privacy/test-scan.ts'
import { openStore as openCredit } from './credit-provider/store.ts'
import { ann, startTestIdentity, url, type TestIdentity } from './identity-provider/testing.ts'
import { openStore as openCarrier } from './parcel-carrier/store.ts'
import { openStore as openPayments } from './payment-provider/store.ts'

/** The register of personal data of the embedded providers, against what they store and delete. */

const register = readRegister(providerRegister)
const leaver = { ...ann, realms: ['b2c'] as const, sub: '0199c0de-0000-7000-8000-000000000391', email: 'zz-leaver@example.com' }
let identity: TestIdentity
before(async () => {
  identity = await startTestIdentity({ people: [leaver] })
})
after(() => identity.server.close())

interface Column {
  table: string
  name: string
  type: string
}

async function identityColumns(): Promise<Column[]> {
  const { rows } = await identity.database.pool.query<Column>(
    `select 'identity.' || table_name as table, column_name as name, data_type as type from information_schema.columns
      where table_schema = 'identity' order by 1, ordinal_position`,
  )
  return rows
}

function fileColumns(provider: string, open: (file: string) => { close(): void }): Column[] {
  const folder = mkdtempSync(join(tmpdir(), 'provider-'))
  try {
    const file = join(folder, 'store.sqlite')
    open(file).close()
    const db = new DatabaseSync(file)
    const rows = db
      .prepare(`select m.name as "table", c.name, c.type from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`)
      .all() as unknown as Column[]
    db.close()
    return rows.map((column) => ({ ...column, table: `${provider}.${column.table}` }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('every column that an embedded provider stores has one entry in the register of personal data, and no entry is of a column that is gone', async () => {
  const stored = [
    ...(await identityColumns()),
    ...fileColumns('parcel-carrier', openCarrier),
    ...fileColumns('payment-provider', openPayments),
    ...fileColumns('credit-provider', openCredit),
  ].map(({ table, name }) => `${table}.${name}`)
  const entries = [...register].flatMap(([table, columns]) => [...columns.keys()].map((name) => `${table}.${name}`))
  assert.deepEqual(
    stored.filter((column) => !entries.includes(column)),
    [],
    'say in provider-data.ts whose data it is',
  )
  assert.deepEqual(
    entries.filter((column) => !stored.includes(column)),
    [],
    'these are gone',
  )
})

test('of an account with data in every personal column of the identity provider its removal leaves none', async () => {
  const { pool } = identity.database
  const columns = await identityColumns()
  const typed = (values: Record<string, string>, table: string) =>
    Object.entries(values).map(([name, value]) => {
      const type = columns.find((column) => column.table === table && column.name === name)?.type ?? 'text'
      return { name, value, cast: type === 'ARRAY' ? 'text[]' : type }
    })
  const planted: string[] = []
  for (const [table, fates] of register) {
    if (!table.startsWith('identity.')) continue
    const personal = [...fates].flatMap(([name, fate]) => (fate === 'deleted' ? [name] : []))
    if (personal.length === 0) continue
    const own = columns.filter((column) => column.table === table)
    const values: Record<string, string> = {}
    for (const { name, type } of own) {
      const mark = `zz-${table}.${name}`
      if (name === 'account_id') values[name] = leaver.sub
      else if (name === 'realm') values[name] = 'b2c'
      else if (name === 'email') values[name] = leaver.email
      else if (!personal.includes(name))
        values[name] = name === 'outcome' ? 'kept' : type === 'text' ? 'reset' : type.startsWith('timestamp') ? '2099-01-01' : '1'
      else if (type === 'uuid') values[name] = randomUUID()
      else if (type === 'bytea') values[name] = `\\x${Buffer.from(mark).toString('hex')}`
      else if (type === 'jsonb') values[name] = JSON.stringify({ mark })
      else if (type === 'ARRAY') values[name] = `{${mark}}`
      else values[name] = mark
      if (personal.includes(name) && name !== 'account_id') planted.push(`${table}.${name}`)
    }
    if (table === 'identity.account') {
      for (const { name, value } of typed(values, table).filter((each) => personal.includes(each.name) && each.name !== 'email'))
        if (name !== 'password') await pool.query(`update identity.account set ${name} = $1 where id = $2`, [value, leaver.sub])
      continue
    }
    const written = typed(values, table)
    await pool.query(
      `insert into ${table} (${written.map(({ name }) => name).join(', ')}) values (${written.map(({ cast }, at) => `$${at + 1}::text::${cast}`).join(', ')})`,
      written.map(({ value }) => value),
    )
  }
  const query = (text: string, values?: unknown[]) => pool.query(text, values)
  const words = ['zz-identity.', leaver.email, leaver.sub]
  const personalTables = [...new Set(planted.map((column) => column.slice(0, column.lastIndexOf('.'))))].toSorted()
  assert.deepEqual(await tablesThatSay(query, words), personalTables, 'each holds data of the person before')

  const { access_token: token } = await oidc.clientCredentialsGrant(await identity.shop('b2c'))
  const headers = { authorization: `Bearer ${token}` }
  const removed = await identity.fetch(`${url}/admin/realms/b2c/users/${leaver.sub}`, { method: 'DELETE', headers })
  assert.equal(removed.status, 204)
  assert.deepEqual(await tablesThatSay(query, words), [])
})
