import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { owedOf, type Debit, type Mandate, type Store } from './store.ts'
import { failed, invoiceWire, type Reply, type Tell } from './wire.ts'

/** Mandates and direct debits of the embedded credit provider. The last digit of the account decides what its bank does. */

const line = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(70))
const wantedMandate = v.object({
  external_code: v.pipe(line, v.maxLength(35)),
  debtor: line,
  holder: line,
  iban: v.pipe(v.string(), v.regex(/^[A-Z]{2}\d{2}[0-9A-Z]{11,30}$/)),
})
const wantedDebit = v.object({
  external_code: line,
  mandate: line,
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(100_000_000)),
})

/** Last digits of accounts, and the reason for which their bank returns a debit. */
const returns: Readonly<Record<string, string>> = { 6: 'MD01', 8: 'AC04', 9: 'AM04' }
/** No bank has an account that ends like this. */
const unknownEnd = '7'
/** The holder of an account that ends like this has its bank refund each debit after a while. */
const refundedEnd = '5'
/** Days in which a debtor may have a debit refunded without giving a reason. */
const refundDays = 56
const dayMs = 86_400_000

const mandateWire = ({ code, state }: Mandate) => ({ external_code: code, state })

/** A debit with the invoices of its collection as they stand now. */
function debitWire(store: Store, { code, amount, state, reason }: Debit) {
  return { external_code: code, amount, state, reason, invoices: invoicesOf(store, code).map(invoiceWire) }
}

const invoicesOf = (store: Store, code: string) =>
  (store.collectionByCode(code)?.invoices ?? []).flatMap((each) => store.invoiceByCode(each) ?? [])

export function createMandate(store: Store, body: unknown): Reply {
  const parsed = v.safeParse(wantedMandate, body)
  if (!parsed.success) return failed(422, 'invalid_mandate')
  const { external_code: code, ...wanted } = parsed.output
  const known = store.mandateByCode(code)
  if (known) return { status: 200, body: mandateWire(known) }
  const state = wanted.iban.endsWith(unknownEnd) ? 'rejected' : 'active'
  const mandate: Mandate = { ...wanted, uuid: randomUUID(), code, state }
  store.saveMandate(mandate)
  return { status: 201, body: mandateWire(mandate) }
}

export function revokeMandate(store: Store, code: string): Reply {
  const known = store.mandateByCode(code)
  if (!known) return failed(404, 'unknown_mandate')
  const next: Mandate = { ...known, state: known.state === 'active' ? 'revoked' : known.state }
  store.saveMandate(next)
  return { status: 200, body: mandateWire(next) }
}

/** Never more than announced, never more than is open, once per collection: the same code again returns the debit there is. */
export function createDebit(store: Store, body: unknown, now: number): Reply {
  const parsed = v.safeParse(wantedDebit, body)
  if (!parsed.success) return failed(422, 'invalid_debit')
  const { external_code: code, mandate, amount } = parsed.output
  const known = store.debitByCode(code)
  if (known) return { status: 200, body: debitWire(store, known) }
  const collection = store.collectionByCode(code)
  if (!collection) return failed(404, 'unknown_collection')
  const given = store.mandateByCode(mandate)
  const isGiven = given?.state === 'active' && given.debtor === collection.debtor
  const open = invoicesOf(store, code).reduce((sum, invoice) => sum + owedOf(invoice), 0)
  const refusal = !isGiven ? 'mandate-ended' : open === 0 ? 'nothing-open' : null
  const debit: Debit = {
    uuid: randomUUID(),
    code,
    mandate,
    amount: refusal ? 0 : Math.min(amount, open),
    state: refusal ? 'canceled' : 'submitted',
    reason: refusal,
    parts: {},
    at: now,
  }
  store.saveDebit(debit)
  return { status: 201, body: debitWire(store, debit) }
}

/** Whether an invoice is being collected: a transfer for it goes back to its sender meanwhile. */
export function isBeingCollected(store: Store, invoice: string): boolean {
  return store.debits().some(({ code, state }) => state === 'submitted' && store.collectionByCode(code)?.invoices.includes(invoice))
}

/** The response of the banks, `debitMs` after a debit was submitted or collected. */
export function followDebits(store: Store, tell: Tell, { now, debitMs }: { now: number; debitMs: number }): void {
  for (const debit of store.debits()) {
    if (debit.at + debitMs > now) continue
    if (debit.state === 'submitted') settle(store, tell, debit, now)
    else if (debit.state === 'settled' && accountEnd(store, debit) === refundedEnd) takeBack(store, tell, debit)
  }
}

const accountEnd = (store: Store, { mandate }: Debit): string => store.mandateByCode(mandate)?.iban.at(-1) ?? ''

/** Credits since the debit was submitted go back to the account at once. */
function settle(store: Store, tell: Tell, debit: Debit, now: number): Debit {
  const reason = returns[accountEnd(store, debit)] ?? null
  const parts: Record<string, number> = {}
  let left = reason === null ? debit.amount : 0
  for (const invoice of invoicesOf(store, debit.code)) {
    const part = Math.min(owedOf(invoice), left)
    if (part === 0) continue
    left -= part
    parts[invoice.code] = part
    store.saveInvoice({ ...invoice, paid: invoice.paid + part })
  }
  const state = reason === null ? 'settled' : 'returned'
  const next: Debit = { ...debit, state, reason, parts, amount: debit.amount - left, at: now }
  store.saveDebit(next)
  tell('debit', `debit.${state}`, debitWire(store, next))
  return next
}

/** The debtor's bank has refunded a collected debit (MD06): its invoices are open again. */
function takeBack(store: Store, tell: Tell, debit: Debit): Debit {
  for (const [code, part] of Object.entries(debit.parts)) {
    const invoice = store.invoiceByCode(code)
    if (invoice) store.saveInvoice({ ...invoice, returned: (invoice.returned ?? 0) + part })
  }
  const next: Debit = { ...debit, state: 'returned', reason: 'MD06' }
  store.saveDebit(next)
  tell('debit', 'debit.returned', debitWire(store, next))
  return next
}

/** The sandbox: the banks respond to a debit at once. */
export function settleDebit(store: Store, tell: Tell, code: string, now: number): Reply {
  const known = store.debitByCode(code)
  if (known?.state !== 'submitted') return failed(404, 'no_submitted_debit')
  return { status: 200, body: debitWire(store, settle(store, tell, known, now)) }
}

/** The sandbox: the debtor has its bank refund a debit, which it may do for eight weeks. */
export function refundDebit(store: Store, tell: Tell, code: string, now: number): Reply {
  const known = store.debitByCode(code)
  if (known?.state !== 'settled') return failed(404, 'no_settled_debit')
  if (now > known.at + refundDays * dayMs) return failed(409, 'too_late')
  return { status: 200, body: debitWire(store, takeBack(store, tell, known)) }
}
