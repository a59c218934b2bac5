import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface Order {
  uuid: string
  /** The client's id. */
  code: string
  description: string
  debtor: { external_code: string; name: string; registration_number: string; country: string }
  amount: number
  currency: 'EUR' | 'GBP'
  market: 'es' | 'fr' | 'gb' | 'de' | 'it'
  state: 'waiting' | 'pre_approved' | 'authorized' | 'created' | 'declined' | 'canceled' | 'partially_refunded' | 'refunded'
  reason: string | null
  confirmed: number
  refunded: number
  /** The part of `refunded` that was never invoiced. */
  reduced: number
  secret: string
  returnUrl: string
  createdAt: number
}

export interface Invoice {
  uuid: string
  code: string
  order: string
  number: string
  shipment: string
  amount: number
  credited: number
  /** In all, including what the bank took back later. */
  paid: number
  /** Taken back by the bank; missing on invoices from before direct debits. */
  returned?: number
  dueOn: string
  isLateTold: boolean
}

/** The open part of an invoice. */
export function owedOf({ amount, credited, paid, returned = 0 }: Invoice): number {
  return Math.max(0, amount - credited - paid + returned)
}

/** Invoices that a company pays together, on one day. */
export interface Collection {
  uuid: string
  code: string
  debtor: string
  number: string
  dueOn: string
  /** Ids of the invoices. */
  invoices: string[]
}

/** A SEPA mandate of a company. */
export interface Mandate {
  uuid: string
  /** Its unique reference. */
  code: string
  debtor: string
  holder: string
  iban: string
  state: 'active' | 'rejected' | 'revoked'
}

/** The direct debit of a collection. */
export interface Debit {
  uuid: string
  /** That of its collection. */
  code: string
  mandate: string
  amount: number
  state: 'submitted' | 'settled' | 'returned' | 'canceled'
  /** The bank's code of a return. */
  reason: string | null
  /** Amounts collected by invoice. */
  parts: Record<string, number>
  /** When it came into this state, in milliseconds. */
  at: number
}

export interface KeptAnswer {
  hash: string
  status: number
  body: string
}

export type Store = ReturnType<typeof openStore>

/** The provider's own durable store: orders, invoices, collections, mandates, debits, answers by idempotency key, and messages to the shop. */
export function openStore(file: string) {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 2000;
    create table if not exists entry (kind text not null, uuid text not null unique, code text not null, owner text not null, doc text not null,
      primary key (kind, code));
    create index if not exists entry_owner on entry (kind, owner);
    create index if not exists entry_number on entry (json_extract(doc, '$.debtor.registration_number')) where kind = 'order';
    create table if not exists answer (key text primary key, hash text not null, status integer not null, body text not null);
    create table if not exists message (id text primary key, body text not null, at integer not null, attempts integer not null default 0);`)
  const put = db.prepare(
    'insert into entry (kind, uuid, code, owner, doc) values (?, ?, ?, ?, ?) on conflict (kind, code) do update set doc = excluded.doc',
  )
  const byUuid = db.prepare('select doc from entry where kind = ? and uuid = ?')
  const byCode = db.prepare('select doc from entry where kind = ? and code = ?')
  const byOwner = db.prepare('select doc from entry where kind = ? and owner = ? order by rowid')
  const byNumber = db.prepare(
    "select doc from entry where kind = 'order' and json_extract(doc, '$.debtor.registration_number') = ? order by rowid",
  )
  const all = db.prepare('select doc from entry where kind = ?')
  const answer = db.prepare('select hash, status, body from answer where key = ?')
  const keep = db.prepare('insert into answer (key, hash, status, body) values (?, ?, ?, ?)')
  const queue = db.prepare('insert into message (id, body, at) values (?, ?, ?)')
  const due = db.prepare('select id, body, attempts from message where at <= ? order by at, rowid limit 50')
  const heard = db.prepare('delete from message where id = ?')
  const later = db.prepare('update message set at = ?, attempts = attempts + 1 where id = ?')
  const doc = <Doc>(row: unknown): Doc | undefined => (row ? (JSON.parse((row as { doc: string }).doc) as Doc) : undefined)
  const docs = <Doc>(rows: readonly unknown[]): Doc[] => rows.map((row) => JSON.parse((row as { doc: string }).doc) as Doc)
  return {
    /** Atomic, and on disk before it returns. */
    together: <Value>(work: () => Value): Value => {
      db.exec('begin immediate')
      try {
        const value = work()
        db.exec('commit')
        return value
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    order: (uuid: string) => doc<Order>(byUuid.get('order', uuid)),
    orderByCode: (code: string) => doc<Order>(byCode.get('order', code)),
    ordersOf: (registrationNumber: string) => docs<Order>(byNumber.all(registrationNumber)),
    orders: () => docs<Order>(all.all('order')),
    saveOrder: (order: Order) => void put.run('order', order.uuid, order.code, order.debtor.external_code, JSON.stringify(order)),
    invoiceByCode: (code: string) => doc<Invoice>(byCode.get('invoice', code)),
    invoicesOf: (order: string) => docs<Invoice>(byOwner.all('invoice', order)),
    invoices: () => docs<Invoice>(all.all('invoice')),
    saveInvoice: (invoice: Invoice) => void put.run('invoice', invoice.uuid, invoice.code, invoice.order, JSON.stringify(invoice)),
    collectionByCode: (code: string) => doc<Collection>(byCode.get('collection', code)),
    saveCollection: (collection: Collection) =>
      void put.run('collection', collection.uuid, collection.code, collection.debtor, JSON.stringify(collection)),
    mandateByCode: (code: string) => doc<Mandate>(byCode.get('mandate', code)),
    saveMandate: (mandate: Mandate) => void put.run('mandate', mandate.uuid, mandate.code, mandate.debtor, JSON.stringify(mandate)),
    debitByCode: (code: string) => doc<Debit>(byCode.get('debit', code)),
    debits: () => docs<Debit>(all.all('debit')),
    saveDebit: (debit: Debit) => void put.run('debit', debit.uuid, debit.code, debit.mandate, JSON.stringify(debit)),
    keptAnswer: (key: string) => answer.get(key) as unknown as KeptAnswer | undefined,
    keepAnswer: (key: string, { hash, status, body }: KeptAnswer) => void keep.run(key, hash, status, body),
    queue: (id: string, body: string, at: number) => void queue.run(id, body, at),
    due: (now: number) => due.all(now) as unknown as { id: string; body: string; attempts: number }[],
    heard: (id: string) => void heard.run(id),
    later: (id: string, at: number) => void later.run(at, id),
    close: () => db.close(),
  }
}
