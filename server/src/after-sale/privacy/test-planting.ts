import { addCompany, addMembership } from '../../people/accounts/testing.ts'
import { draftOrder, must, place } from '../../selling/checkout/testing.ts'
import { fates, readRegister, type Fate } from './personal-data.ts'
import { all, customer, db, pool } from './test-erasure.ts'
import { isGiven, isLink, isOwnAddress, isShaped, valuesFor, type Column, type Trace, type Value } from './test-planted-values.ts'

/** For tests: gives a customer a row in every table of the register, with a value of its own in every personal column. */

/** Every column of the database, without those of partitions, whose parent has the same. */
export const readColumns = async () =>
  (await all(
    `select c.table_schema || '.' || c.table_name as table, c.column_name as name, c.data_type as type, c.udt_name as "sqlType",
       c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as "isGenerated", c.is_nullable = 'YES' as "isNullable", c.is_nullable = 'NO' and c.column_default is null as "isNeeded"
     from information_schema.columns c join pg_class k on k.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
     where c.table_schema not in ('pg_catalog', 'information_schema') and k.relkind in ('r', 'p', 'v') and not k.relispartition
     order by 1, c.ordinal_position`,
  )) as Column[]

/** Tables with rows of the customer from registration and ordering: those are filled in, not added to. */
const existing: Record<string, string> = {
  'accounts.customer': 'id = $1::uuid',
  'accounts.company': 'id = $2::uuid',
  'accounts.membership': 'customer_id = $1::uuid',
  'orders.customer_order': 'id = $3',
  'orders.seller_order': 'customer_order_id = $3',
  'payments.payment': 'customer_order_id = $3',
  'cart.cart': `owner = 'c:' || $1`,
}
/** The jobs of a test would run what is planted for them, and a copy of the data is made by the test itself. */
const isLeftOut = (table: string) => /^(?:privacy|platform)\./.test(table)

/** Whether data of this fate is somebody's who buys or visits, and not a mere key. */
export const isPersonal = (fate: Fate): boolean => fates[fate].of !== null && fates[fate].of !== fates.staff.of && fate !== 'key'
const isErased = (fate: Fate): boolean => fate === 'deleted' || fate === 'blanked'
const isText = ({ type }: Column): boolean => !/^(?:smallint|integer|bigint|date|boolean|timestamp)/.test(type)

export interface Planted {
  id: string
  email: string
  erase: Awaited<ReturnType<typeof customer>>['does']
  /** The customer's value in each column that an erasure empties. */
  values: ReadonlyMap<string, string>
  /** The trace of each personal column; if its value names the customer or the order, those of its row, which say whether that is found. */
  traces: ReadonlyMap<string, readonly Trace[]>
}

export async function plantEverywhere(): Promise<Planted> {
  const person = await customer()
  const company = await addCompany(db)
  await addMembership(db, person.id, company.id, 'admin')
  const orderId = await draftOrder(person, [{ offerId: '9001', quantity: 1 }])
  must(await place(person, orderId))
  await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [orderId])
  const valueOf = valuesFor({ id: person.id, email: person.email, companyId: company.id, orderId }, await allowedValues())
  await dropChecks()

  const values = new Map<string, string>()
  const traces = new Map<string, readonly Trace[]>()
  const columns = await readColumns()
  // Rows of one another's are written in any order.
  const client = await pool.connect()
  await client.query('set session_replication_role = replica')
  for (const [table, fatesOf] of readRegister()) {
    const isOfCustomers = [...fatesOf.values()].some((fate) => fate === 'key' || isPersonal(fate))
    if (!isOfCustomers || isLeftOut(table)) continue
    const own = columns.filter((column) => column.table === table && !column.isGenerated)
    const row = own
      .map((column) => ({ column, fate: fatesOf.get(column.name) ?? 'none' }))
      .filter(({ column, fate }) => (existing[table] ? isShaped(column) || (isPersonal(fate) && !isLink(column)) : isWritten(column, fate)))
      .map(({ column, fate }) => ({ column, fate, value: valueOf(column, isPersonal(fate)) }))
    const ofRow = row.flatMap(({ value: { trace } }) => trace ?? [])
    for (const [name, fate] of fatesOf) if (isPersonal(fate)) traces.set(`${table}.${name}`, ofRow)
    for (const { column, fate, value } of row) {
      const path = `${table}.${column.name}`
      if (isPersonal(fate) && value.trace !== undefined) traces.set(path, [value.trace])
      if (isErased(fate) && isText(column)) values.set(path, value.text)
      // Another address in every column is the customer's only if it once was.
      if (isOwnAddress(value) && table !== 'accounts.former_email')
        await client.query(`insert into accounts.former_email (customer_id, email, until) values ($1, $2, 'tomorrow')`, [
          person.id,
          value.text,
        ])
    }
    if (row.length > 0) await client.query(...statementFor(table, row, [person.id, company.id, orderId]))
  }
  client.release(true)
  return { id: person.id, email: person.email, erase: person.does, values, traces }
}

function isWritten(column: Column, fate: Fate): boolean {
  // A person's invoice, not the company's.
  if (column.table === 'invoices.invoice' && column.name === 'company_id') return false
  const isTime = column.type.startsWith('timestamp') && !column.isNullable
  return column.isNeeded || isTime || isLink(column) || isGiven(column) || fate === 'key' || isPersonal(fate)
}

function statementFor(
  table: string,
  row: readonly { column: Column; fate: Fate; value: Value }[],
  ids: readonly string[],
): [string, string[]] {
  const names = row.map(({ column }) => `"${column.name}"`)
  const places = row.map(({ column: { sqlType } }, at) => `$${at + 4}::text::${sqlType}`)
  const unused = '($1::text is not null and $2::text is not null and $3::text is not null)'
  const where = existing[table]?.replaceAll('::uuid', '::text::uuid')
  const onConflict = row.some(({ fate }) => isErased(fate)) ? '' : 'on conflict do nothing'
  const text = where
    ? `update ${table} set ${names.map((name, at) => `${name} = ${places[at]}`).join(', ')} where ${where} and ${unused}`
    : `insert into ${table} (${names.join(', ')}) select ${places.join(', ')} where ${unused} ${onConflict}`
  return [text, [...ids, ...row.map(({ value }) => value.text)]]
}

/** The first value that a check allows, of each column with a list of them. */
export async function allowedValues(): Promise<Map<string, string>> {
  const rows = (await all(
    `select format('%s.%s', conrelid::regclass, a.attname) as path, pg_get_constraintdef(c.oid) as text
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'c' and cardinality(c.conkey) = 1`,
  )) as { path: string; text: string }[]
  return new Map(
    rows.flatMap(({ path, text }) => (/ARRAY\['([^']+)'/.exec(text)?.[1] ? [[path, /ARRAY\['([^']+)'/.exec(text)?.[1] ?? '']] : [])),
  )
}

/** Texts of a test are in no list and of no format. */
export async function dropChecks(): Promise<void> {
  const rows = (await all(
    `select conrelid::regclass::text as table, conname as name from pg_constraint where contype = 'c' and conparentid = 0
       and connamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) and conrelid <> 0`,
  )) as { table: string; name: string }[]
  for (const { table, name } of rows) await pool.query(`alter table ${table} drop constraint "${name}" cascade`)
}
