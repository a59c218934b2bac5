import type { Db } from '#platform'
import type { PostalAddress } from './address-rules.ts'
import type { AddressUse, SavedAddress } from './saved-address.ts'

const columns = `id, first_name as "firstName", last_name as "lastName", company, line1, line2, postcode, city, country, phone, instructions,
  is_delivery_default as "isDeliveryDefault", is_billing_default as "isBillingDefault"`

// Every statement names the owner: another customer's address is not found.
const all = {
  name: 'addresses.all',
  text: `select ${columns} from addresses.address where customer_id = $1
    order by is_delivery_default desc, is_billing_default desc, created_at desc, id limit 100`,
}
const one = { name: 'addresses.one', text: `select ${columns} from addresses.address where id = $2 and customer_id = $1` }
const turn = { name: 'addresses.take-turn', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }
const insert = {
  name: 'addresses.insert',
  text: `insert into addresses.address (id, customer_id, first_name, last_name, company, line1, line2, postcode, city, country, phone, instructions)
    values ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}
const update = {
  name: 'addresses.update',
  text: `update addresses.address set first_name = $3, last_name = $4, company = $5, line1 = $6, line2 = $7, postcode = $8, city = $9, country = $10,
    phone = $11, instructions = $12, updated_at = now() where id = $2 and customer_id = $1`,
}
const remove = { name: 'addresses.delete', text: 'delete from addresses.address where id = $2 and customer_id = $1' }
// Two statements: a unique index is checked row by row, so the old default is cleared before the new one is set.
const drop = {
  delivery: {
    name: 'addresses.drop-delivery',
    text: `update addresses.address set is_delivery_default = false where customer_id = $1 and is_delivery_default`,
  },
  billing: {
    name: 'addresses.drop-billing',
    text: `update addresses.address set is_billing_default = false where customer_id = $1 and is_billing_default`,
  },
}
const prefer = {
  delivery: {
    name: 'addresses.prefer-delivery',
    text: 'update addresses.address set is_delivery_default = true where id = $2 and customer_id = $1',
  },
  billing: {
    name: 'addresses.prefer-billing',
    text: 'update addresses.address set is_billing_default = true where id = $2 and customer_id = $1',
  },
}

export function readAddresses(db: Db, customerId: string): Promise<SavedAddress[]> {
  return db.rows<SavedAddress>(all, [customerId])
}

export function readAddress(db: Db, customerId: string, id: string): Promise<SavedAddress | undefined> {
  return db.row<SavedAddress>(one, [customerId, id])
}

/** Serialises changes to one customer's addresses until the transaction ends. */
export async function takeTurn(db: Db, customerId: string): Promise<void> {
  await db.run(turn, [`addresses ${customerId}`])
}

const values = ({ firstName, lastName, company, line1, line2, postcode, city, country, phone, instructions }: PostalAddress) => [
  firstName,
  lastName,
  company,
  line1,
  line2,
  postcode,
  city,
  country,
  phone,
  instructions,
]

export async function insertAddress(db: Db, customerId: string, id: string, address: PostalAddress): Promise<void> {
  await db.run(insert, [customerId, id, ...values(address)])
}

/** False when this customer has no such address. */
export async function updateAddress(db: Db, customerId: string, id: string, address: PostalAddress): Promise<boolean> {
  return (await db.run(update, [customerId, id, ...values(address)])) === 1
}

export async function removeAddress(db: Db, customerId: string, id: string): Promise<boolean> {
  return (await db.run(remove, [customerId, id])) === 1
}

/** Makes an address the customer's default for a use. */
export async function preferAddress(db: Db, customerId: string, id: string, use: AddressUse): Promise<void> {
  await Promise.all([db.run(drop[use], [customerId]), db.run(prefer[use], [customerId, id])])
}

const removeAll = { name: 'addresses.delete-all', text: 'delete from addresses.address where customer_id = $1' }

/** Deletes all addresses of a customer whose account is deleted. */
export async function removeAddressesOf(db: Db, customerId: string): Promise<void> {
  await db.run(removeAll, [customerId])
}
