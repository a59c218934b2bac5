import { createHash, randomUUID } from 'node:crypto'
import { addCompany, addMembership } from '../../people/accounts/testing.ts'
import { customerTaxOwner } from '../../people/tax/tax-record.ts'
import { paymentProvider } from '../../selling/payments/settings.ts'
import { hashOfEmail } from '../invoices/store.ts'
import { draftOrder, must, place } from '../../selling/checkout/testing.ts'
import { readRegister } from './personal-data.ts'
import { all, customer, db, pool } from './test-erasure.ts'

/** For tests: gives a customer a row in every table of the register, with a text of its own in every personal column. */

export interface Column {
  table: string
  name: string
  type: string
  sqlType: string
  isGenerated: boolean
  /** Whether a row without a value for it is refused. */
  isNeeded: boolean
}

/** Every column of the database, without those of partitions, whose parent has the same. */
export const readColumns = async () =>
  (await all(
    `select c.table_schema || '.' || c.table_name as table, c.column_name as name, c.data_type as type, c.udt_name as "sqlType",
       c.is_identity = 'YES' or c.is_generated = 'ALWAYS' as "isGenerated", c.is_nullable = 'NO' and c.column_default is null as "isNeeded"
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
  'cart.cart': `owner = 'c:' || $1`,
}

export interface Planted {
  id: string
  email: string
  erase: Awaited<ReturnType<typeof customer>>['does']
  /** The customer's value in each column that an erasure empties. */
  values: ReadonlyMap<string, string>
}

export async function plantEverywhere(): Promise<Planted> {
  const person = await customer()
  const { id, email } = person
  const company = await addCompany(db)
  await addMembership(db, id, company.id, 'admin')
  const orderId = await draftOrder(person, [{ offerId: '9001', quantity: 1 }])
  must(await place(person, orderId))
  await pool.query(`update orders.customer_order set state = 'delivered' where id = $1`, [orderId])
  const allowed = await allowedValues()
  await dropChecks()

  const shared = randomUUID()
  const owner = `c:${id}`
  const links: Record<string, string> = {
    customer_order_id: orderId,
    order_id: orderId,
    seller_order_id: `${orderId}-1`,
    owner,
    customer_key: owner,
    voter: owner,
    company_id: company.id,
    email,
    guest_email: email,
    recipient: email,
    market: 'gb',
    mode: 'b2c',
    currency: 'GBP',
    seller_id: '1',
  }
  /** Columns of people, where others of the type hold ids of things. */
  const people = /^(?:customer_id|member_id|created_by|invited_by|approver_id|signed_by|decided_by|changed_by|accepted_by)$/
  const given: Record<string, string> = {
    'refunds.refund.state': 'done',
    'returns.request.state': 'refunded',
    'disputes.dispute.ended_at': 'now',
    'credit.claim.repaid': '1',
    'subscriptions.subscription.provider': 'embedded',
    'credit.mandate.state': 'ended',
    'invoices.invoice.document': JSON.stringify({
      buyer: { country: 'GB', name: 'zz-invoices.invoice.document' },
      deliverTo: null,
      lines: [],
      seller: { name: 'Albion' },
      issuer: { name: 'Albion' },
    }),
    'credit.debit.state': 'collected',
    'payments.saved_card.provider': paymentProvider().name,
    'profile.phone_code.expires_at': 'tomorrow',
    'newsletter.subscription.email_hash': createHash('sha256').update(email.toLowerCase()).digest('base64url'),
    'tax.record.owner': customerTaxOwner(id),
    'tax.answer.owner': customerTaxOwner(id),
    'mail.mail.key': `order:${orderId}:placed`,
    'files.file.key': 'private/upload/plantedplantedplanted12.pdf',
    'uploads.upload.file_key': 'private/upload/plantedplantedplanted12.pdf',
    'uploads.upload.used_by': '',
    'invoices.invoice.email_hash': `\\x${hashOfEmail(email).toString('hex')}`,
    'punchout.visit.buyer': email,
    ...Object.fromEntries(
      ['messages.message.files', 'disputes.step.files'].map((at) => [at, JSON.stringify([{ id: shared, name: `zz-${at}` }])]),
    ),
  }
  const values = new Map<string, string>()
  const valueOf = ({ table, name, type, sqlType }: Column, isPersonal: boolean): string => {
    const path = `${table}.${name}`
    const known = given[path]
    if (known !== undefined) return known
    if (type === 'uuid') return people.test(name) ? id : name === 'company_id' ? company.id : shared
    const link = links[name]
    if (link !== undefined && type === 'text') return link
    const mark = `zz-${path}`
    const plain = allowed.get(path)
    if (type === 'bytea') return `\\x${Buffer.from(isPersonal ? mark : mark.padEnd(32).slice(0, 32)).toString('hex')}`
    if (type === 'jsonb' || type === 'json') return isPersonal ? JSON.stringify({ mark }) : '{}'
    if (type === 'ARRAY' && isPersonal) return sqlType === '_uuid' ? `{${randomUUID()}}` : `{"${mark}"}`
    if (type === 'ARRAY') return '{}'
    if (type === 'boolean') return 'false'
    if (type === 'date' || type.startsWith('timestamp')) return 'now'
    if (type === 'text' || type === 'character varying') return plain ?? mark
    return '1'
  }
  const register = readRegister()
  const columns = await readColumns()
  // Rows of one another's are written in any order.
  const client = await pool.connect()
  await client.query('set session_replication_role = replica')
  for (const [table, fates] of register) {
    const personal = [...fates].filter(([, fate]) => fate === 'deleted' || fate === 'blanked').map(([name]) => name)
    const isOfCustomers = personal.length > 0 || [...fates.values()].includes('key')
    if (!isOfCustomers || table.startsWith('privacy.')) continue
    const own = columns.filter((column) => column.table === table && !column.isGenerated)
    const written = existing[table]
      ? own.filter(({ name }) => personal.includes(name) && links[name] === undefined)
      : own.filter(
          ({ name, isNeeded }) =>
            isNeeded ||
            links[name] !== undefined ||
            given[`${table}.${name}`] !== undefined ||
            ['key', 'deleted', 'blanked'].includes(fates.get(name) ?? ''),
        )
    const pairs = written.map((column) => [column, valueOf(column, personal.includes(column.name))] as const)
    for (const [{ name, type }, value] of pairs)
      if (personal.includes(name) && !/^(?:smallint|integer|bigint|date|boolean|timestamp)/.test(type))
        values.set(`${table}.${name}`, value)
    const names = pairs.map(([{ name }]) => `"${name}"`)
    const places = pairs.map(([{ sqlType }], at) => `$${at + 4}::text::${sqlType}`)
    const which = [id, company.id, orderId]
    const unused = '($1::text is not null and $2::text is not null and $3::text is not null)'
    const statement = existing[table]
      ? `update ${table} set ${names.map((name, at) => `${name} = ${places[at]}`).join(', ')} where ${existing[table].replaceAll('::uuid', '::text::uuid')} and ${unused}`
      : `insert into ${table} (${names.join(', ')}) select ${places.join(', ')} where ${unused} ${personal.length === 0 ? 'on conflict do nothing' : ''}`
    if (names.length > 0) await client.query(statement, [...which, ...pairs.map(([, value]) => value)])
  }
  client.release(true)
  return { id, email, erase: person.does, values }
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
