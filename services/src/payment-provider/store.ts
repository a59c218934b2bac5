import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Intent } from './intent.ts'
import type { Payout } from './payouts.ts'
import { isSameCard, type Customer, type SavedCard } from './saved-cards.ts'

export interface KeptAnswer {
  hash: string
  status: number
  body: string
}

export interface QueuedMessage {
  id: string
  body: string
  attempts: number
  copies: number
}

export interface Store {
  /** Atomic, and on disk before it returns: a killed process loses nothing it has acknowledged. */
  together<Value>(work: () => Value): Value
  intent(id: string): Intent | undefined
  save(intent: Intent): void
  /** Oldest first, after another one. */
  list(since: number, after: string | undefined, limit: number): Intent[]
  customer(id: string): Customer | undefined
  customerOf(reference: string): Customer | undefined
  saveCustomer(customer: Customer): void
  /** Together with all their cards. */
  dropCustomer(id: string): void
  card(id: string): SavedCard | undefined
  /** Oldest first. */
  cardsOf(customer: string): SavedCard[]
  /** Saves a card; one already saved stays as it is. A customer's first card is their default. */
  saveCard(card: SavedCard): void
  dropCard(id: string): void
  payout(id: string): Payout | undefined
  savePayout(payout: Payout): void
  keptAnswer(key: string): KeptAnswer | undefined
  keepAnswer(key: string, answer: KeptAnswer): void
  queue(message: { id: string; body: string; at: number; copies: number }): void
  /** Due messages, claimed for `lease` ms. */
  takeDue(now: number, lease: number, limit: number): QueuedMessage[]
  delivered(id: string): void
  postpone(id: string, until: number): void
  close(): void
}

// Intents of earlier releases have no customers.
const withoutCustomer: Partial<Intent> = { customer: null, keeping: null }

/** The provider's own small durable store: nothing in the shop's database is used. */
export function openStore(file: string): Store {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 2000; pragma secure_delete = on;
    create table if not exists intent (seq integer primary key, id text not null unique, created integer not null, doc text not null);
    create index if not exists intent_created on intent (created, seq);
    create table if not exists customer (id text primary key, reference text not null unique, doc text not null);
    create table if not exists card (seq integer primary key, id text not null unique, customer text not null, doc text not null);
    create index if not exists card_customer on card (customer, seq);
    create table if not exists payout (seq integer primary key, id text not null unique, created integer not null, doc text not null);
    create table if not exists answer (key text primary key, hash text not null, status integer not null, body text not null);
    create table if not exists message (seq integer primary key, id text not null unique, body text not null, at integer not null,
      attempts integer not null default 0, copies integer not null default 1);
    create index if not exists message_at on message (at);`)
  const sql = {
    get: db.prepare('select doc from intent where id = ?'),
    put: db.prepare('insert into intent (id, created, doc) values (?, ?, ?) on conflict (id) do update set doc = excluded.doc'),
    page: db.prepare(
      'select doc from intent where created >= ? and seq > coalesce((select seq from intent where id = ?), 0) order by seq limit ?',
    ),
    customer: db.prepare('select doc from customer where id = ?'),
    customerOf: db.prepare('select doc from customer where reference = ?'),
    putCustomer: db.prepare('insert into customer (id, reference, doc) values (?, ?, ?) on conflict (id) do update set doc = excluded.doc'),
    dropCustomer: db.prepare('delete from customer where id = ?'),
    card: db.prepare('select doc from card where id = ?'),
    cards: db.prepare('select doc from card where customer = ? order by seq'),
    putCard: db.prepare('insert into card (id, customer, doc) values (?, ?, ?)'),
    dropCard: db.prepare('delete from card where id = ?'),
    dropCards: db.prepare('delete from card where customer = ?'),
    payout: db.prepare('select doc from payout where id = ?'),
    putPayout: db.prepare('insert into payout (id, created, doc) values (?, ?, ?)'),
    answer: db.prepare('select hash, status, body from answer where key = ?'),
    keep: db.prepare('insert into answer (key, hash, status, body) values (?, ?, ?, ?)'),
    queue: db.prepare('insert into message (id, body, at, copies) values (?, ?, ?, ?)'),
    take: db.prepare(
      'update message set at = ? + ?, attempts = attempts + 1 where seq in (select seq from message where at <= ? order by seq limit ?) returning id, body, attempts, copies',
    ),
    drop: db.prepare('delete from message where id = ?'),
    postpone: db.prepare('update message set at = ? where id = ?'),
  }
  const parse = (row: unknown): unknown => JSON.parse((row as { doc: string }).doc)
  const read = (row: unknown): Intent => ({ ...withoutCustomer, ...(parse(row) as Intent) })
  const customerIn = (row: unknown): Customer | undefined => (row ? (parse(row) as Customer) : undefined)
  const cardsOf = (customer: string): SavedCard[] => sql.cards.all(customer).map((row) => parse(row) as SavedCard)
  const saveCustomer = (customer: Customer): void => void sql.putCustomer.run(customer.id, customer.reference, JSON.stringify(customer))
  const prefer = (id: string, defaultCard: string | null): void => {
    const customer = customerIn(sql.customer.get(id))
    if (customer) saveCustomer({ ...customer, defaultCard })
  }
  let depth = 0
  return {
    together: (work) => {
      if (depth > 0) return work()
      db.exec('begin immediate')
      depth = 1
      try {
        const value = work()
        db.exec('commit')
        return value
      } catch (error) {
        db.exec('rollback')
        throw error
      } finally {
        depth = 0
      }
    },
    intent: (id) => {
      const row = sql.get.get(id)
      return row ? read(row) : undefined
    },
    save: (intent) => void sql.put.run(intent.id, intent.created, JSON.stringify(intent)),
    list: (since, after, limit) => sql.page.all(since, after ?? '', limit).map(read),
    customer: (id) => customerIn(sql.customer.get(id)),
    customerOf: (reference) => customerIn(sql.customerOf.get(reference)),
    saveCustomer,
    dropCustomer: (id) => {
      sql.dropCards.run(id)
      sql.dropCustomer.run(id)
    },
    card: (id) => {
      const row = sql.card.get(id)
      return row ? (parse(row) as SavedCard) : undefined
    },
    cardsOf,
    saveCard: (card) => {
      const known = cardsOf(card.customer)
      if (known.some((one) => isSameCard(one, card))) return
      sql.putCard.run(card.id, card.customer, JSON.stringify(card))
      if (known.length === 0) prefer(card.customer, card.id)
    },
    dropCard: (id) => {
      const row = sql.card.get(id)
      if (!row) return
      const { customer } = parse(row) as SavedCard
      sql.dropCard.run(id)
      if (customerIn(sql.customer.get(customer))?.defaultCard === id) prefer(customer, cardsOf(customer).at(-1)?.id ?? null)
    },
    payout: (id) => {
      const row = sql.payout.get(id)
      return row ? (parse(row) as Payout) : undefined
    },
    savePayout: (payout) => void sql.putPayout.run(payout.id, payout.created, JSON.stringify(payout)),
    keptAnswer: (key) => sql.answer.get(key) as unknown as KeptAnswer | undefined,
    keepAnswer: (key, { hash, status, body }) => void sql.keep.run(key, hash, status, body),
    queue: ({ id, body, at, copies }) => void sql.queue.run(id, body, at, copies),
    takeDue: (now, lease, limit) => sql.take.all(now, lease, now, limit) as unknown as QueuedMessage[],
    delivered: (id) => void sql.drop.run(id),
    postpone: (id, until) => void sql.postpone.run(until, id),
    close: () => db.close(),
  }
}
