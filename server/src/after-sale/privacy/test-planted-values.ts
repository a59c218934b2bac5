import { createHash, randomUUID } from 'node:crypto'
import { customerTaxOwner } from '../../people/tax/tax-record.ts'
import { paymentProvider } from '../../selling/payments/settings.ts'
import { hashOf as hashForReminders } from '../../selling/reminders/guest-reminder.ts'
import { hashOfEmail } from '../invoices/store.ts'

/** For tests: the values that are planted in the columns of a customer's rows. */

export interface Column {
  table: string
  name: string
  type: string
  sqlType: string
  isGenerated: boolean
  isNullable: boolean
  /** Whether a row without a value for it is refused. */
  isNeeded: boolean
}

/** What no other column has: a text, a number or a time. */
export type Trace = string | number | Date
/** As SQL reads it from text; without a trace if other columns have the same value. */
export interface Value {
  text: string
  trace?: Trace
}

const markOf = (path: string) => `zz-${path}.`
const addressOf = (path: string) => `${markOf(path)}@example.org`
/** Whether the value is an address that no other column has. */
export const isOwnAddress = ({ text }: Value): boolean => text.endsWith('@example.org')

const addresses = /^(?:email|guest_email|recipient)$/
/** Columns of people, where others of the type hold ids of things. */
const people = /^(?:customer_id|member_id|created_by|invited_by|approver_id|signed_by|decided_by|changed_by|accepted_by)$/
/** Columns that say whose row it is, or where it belongs. */
const links = new Set(['customer_order_id', 'order_id', 'seller_order_id', 'owner', 'customer_key', 'voter', 'company_id'])
const places: Readonly<Record<string, string>> = { market: 'gb', mode: 'b2c', currency: 'GBP', seller_id: '1' }
export const isLink = ({ name }: Column): boolean => links.has(name) || places[name] !== undefined

/** What the shop looks for, by column; the others are free. */
const given: Readonly<Record<string, string | ((known: Known) => string)>> = {
  'refunds.refund.state': 'done',
  'returns.request.state': 'refunded',
  'disputes.dispute.ended_at': 'now',
  'credit.claim.repaid': '1',
  'subscriptions.subscription.provider': 'embedded',
  'credit.mandate.state': 'ended',
  'credit.debit.state': 'collected',
  'payments.saved_card.provider': () => paymentProvider().name,
  'accounts.former_email.until': 'tomorrow',
  'profile.phone_code.expires_at': 'tomorrow',
  'newsletter.subscription.email_hash': () => sha256(addressOf('newsletter.subscription.email')),
  'tax.record.owner': ({ id }) => customerTaxOwner(id),
  'tax.answer.owner': ({ id }) => customerTaxOwner(id),
  'mail.mail.key': ({ orderId }) => `order:${orderId}:placed`,
  'files.file.key': 'private/upload/plantedplantedplanted12.pdf',
  'uploads.upload.used_by': '',
  'invoices.invoice.email_hash': ({ email }) => `\\x${hashOfEmail(email).toString('hex')}`,
  'reminders.guest.email_hash': () => hashForReminders(addressOf('reminders.guest.email')),
}
/** Values of another form than most, with a text of their own in them. */
const shaped: Readonly<Record<string, (mark: string) => string>> = {
  'accounts.former_email.email': (mark) => `${mark}@example.org`,
  'cart.cart.coupon_code': (mark) => mark,
  'reminders.guest.owner': (mark) => `s:${mark}`,
  'punchout.visit.buyer': (mark) => `${mark}@example.org`,
  'uploads.upload.file_key': () => 'private/upload/plantedplantedplanted12.pdf',
  'messages.message.files': (mark) => JSON.stringify([{ id: randomUUID(), name: mark }]),
  'disputes.step.files': (mark) => JSON.stringify([{ id: randomUUID(), name: mark }]),
  'invoices.invoice.document': (mark) =>
    JSON.stringify({
      buyer: { country: 'GB', name: mark },
      deliverTo: null,
      lines: [],
      seller: { name: 'Albion' },
      issuer: { name: 'Albion' },
    }),
}
export const isShaped = ({ table, name }: Column): boolean => shaped[`${table}.${name}`] !== undefined
export const isGiven = ({ table, name }: Column): boolean => given[`${table}.${name}`] !== undefined

interface Known {
  id: string
  email: string
  companyId: string
  orderId: string
}

/** The values of one customer. A text column with a list of texts has the one in `allowed`. */
export function valuesFor(known: Known, allowed: ReadonlyMap<string, string>): (column: Column, isPersonal: boolean) => Value {
  const { id, email, companyId, orderId } = known
  const [shared, signInId, unit] = [randomUUID(), randomUUID(), randomUUID()]
  const owner = `c:${id}`
  const linked: Readonly<Record<string, string>> = {
    ...places,
    customer_order_id: orderId,
    order_id: orderId,
    seller_order_id: `${orderId}-1`,
    owner,
    customer_key: owner,
    voter: owner,
    company_id: companyId,
  }
  const since = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
  let taken = 0
  const ownTime = (): Value => {
    const trace = new Date(since + ++taken * 1000)
    return { text: trace.toISOString(), trace }
  }
  const ownNumber = (): Value => {
    const trace = 20_000 + ++taken
    return { text: String(trace), trace }
  }
  const ownText = (text: string): Value => ({ text, trace: text })

  return (column, isPersonal) => {
    const { table, name, type, sqlType } = column
    const path = `${table}.${name}`
    const mark = markOf(path)
    const fixed = typeof given[path] === 'function' ? given[path](known) : given[path]
    if (fixed !== undefined) return isPersonal && !isLink(column) ? ownText(fixed) : { text: fixed }
    if (path === 'accounts.customer.email') return ownText(email)
    const shape = shaped[path]?.(mark)
    if (shape !== undefined) return { text: shape, trace: isOwnAddress({ text: shape }) || !shape.includes(mark) ? shape : mark }
    if (name === 'sign_in_id') return ownText(signInId)
    if (name === 'unit') return path === 'experiments.customer.unit' ? ownText(unit) : { text: unit }
    if (type === 'uuid' && people.test(name)) return { text: id }
    const link = linked[name]
    if (link !== undefined && (type === 'text' || name === 'company_id' || name === 'seller_id')) return { text: link }
    if (type === 'uuid') return isPersonal ? ownText(randomUUID()) : { text: shared }
    if (type.startsWith('timestamp')) return ownTime()
    if (type === 'date') return { text: 'now' }
    if (type === 'boolean') return { text: 'false' }
    if (type === 'bytea')
      return { text: `\\x${Buffer.from(isPersonal ? mark : mark.padEnd(32).slice(0, 32)).toString('hex')}`, trace: mark }
    if (type === 'jsonb' || type === 'json') return isPersonal ? { text: JSON.stringify({ mark }), trace: mark } : { text: '{}' }
    if (type === 'ARRAY') return arrayOf(sqlType, isPersonal ? mark : null)
    if (type !== 'text' && type !== 'character varying') return ownNumber()
    if (isPersonal) return ownText(addresses.test(name) ? addressOf(path) : mark)
    const listed = allowed.get(path)
    return listed === undefined ? ownText(mark) : { text: listed }
  }
}

function arrayOf(sqlType: string, mark: string | null): Value {
  if (mark === null) return { text: '{}' }
  const trace = sqlType === '_uuid' ? randomUUID() : mark
  return { text: `{${trace}}`, trace }
}

const sha256 = (text: string) => createHash('sha256').update(text.toLowerCase()).digest('base64url')
