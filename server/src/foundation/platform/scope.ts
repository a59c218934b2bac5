import type { QueryResult } from 'pg'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { EventPayloads, EventType } from '#events'

/** A prepared statement: Postgres caches the plan under the name, so a name always has the same text. */
export interface Statement {
  name: string
  text: string
  /** It stores events itself (`storeEvents`): the commit wakes the worker. */
  emits?: true
}

/**
 * A read of what belongs to the principal, in the statement that finds the session (`besideSession` of #accounts). Its own
 * parameters begin with $3.
 */
export interface Beside {
  statement: Statement
  values: readonly unknown[]
  /** Its row is the same after it has been JSON: no dates, no bigints. Such a row can be read together with another one. */
  isJson?: true
}

export interface ReadBeside extends Beside {
  /** Undefined if there is none, or if it is not the principal's. */
  row: object | undefined
  /** When the statement was sent, as `performance.now()`. */
  since: number
  /** A second read of the same must see what has changed since. */
  isTaken: boolean
}

/** A statement with its values, as the driver takes it. */
export interface Sent {
  name?: string
  text: string
  values?: unknown[]
}

/** Runs SQL. */
export interface Queries {
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  row<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row | undefined>
  /** Number of affected rows. */
  run(statement: Statement, values?: readonly unknown[]): Promise<number>
}

/**
 * In a command: its single transaction, which begins with the first statement sent here. In a query: reads only, enforced
 * by Postgres. Independent statements (`Promise.all`) run in the order they were sent and
 * share one round trip.
 */
export interface Db extends Queries {
  /** Outside the transaction, together with the reads of other requests: for data that a command merely consults. */
  reads: Db
  /** Each statement is a transaction of its own and persists whatever becomes of the command. For measured cases. */
  alone: Db
  /** Long reads, on connections of their own that no visitor waits for. */
  reports: Db
}

/** The scope of a command whose only write is its own transaction (`db.alone`): its reads need none. */
export function readingAside(scope: Scope): Scope {
  return { ...scope, db: scope.db.reads }
}

/** Ways to the database other than a command's transaction. */
export type Lanes = Record<'reads' | 'alone' | 'reports', (statement: Sent) => Promise<QueryResult>>

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The session behind a request; `id` is the opaque id in the cookie, hashed. */
export interface SessionRef {
  id: string
}

/** The scope of an anonymous action: the site and the database, but no principal. Its result is the same for everybody. */
export interface SiteScope {
  /** The site: market, mode, scheme and host. A market has several hosts, each with cookies of its own; links lead back to the one in use. */
  market: Market
  mode: Mode
  origin: string
  /** Display option: prices with VAT on a b2b storefront. */
  prefersVat: boolean
  now: Date
  db: Db
  /** Written to the outbox in the same transaction; delivered to its handlers after the commit. */
  emit<Type extends EventType>(type: Type, payload: EventPayloads[Type]): void
  /**
   * Marks the result of the current field as the same for every visitor of the site while `holds` is true, so that the
   * gateway may serve it again without resolving it.
   */
  share?(holds: () => boolean): void
  /** Called by what waits for something that others do: from then on the request keeps no turn from requests that have work. */
  leaveTurn?(): void
  requestId: string
  /** The visitor's id for the search engine, with their consent to preferences only. */
  userToken?: string | null
  /** The visitor's id for measurements, with their consent to statistics only. */
  visitorId?: string | null
  /** Called by a command that has put a product into the cart: measured once it is committed, with consent to statistics only. */
  noteAdded?(product: AddedProduct): void
  /** The client's network address, where the gateway knows it. For limits, never for permissions. */
  remoteAddress?: string
  log: Log
}

export interface AddedProduct {
  productId: string
  quantity: number
}

/** The first parameter of every operation: the site and the principal. */
export interface Scope extends SiteScope {
  /** Resolved before the operation runs; `authorize` (#accounts) decides what it may do. */
  principal: Principal
  /** Null for a visitor who has no session yet; commands that need one get it from the gateway. */
  session: SessionRef | null
  /** The rows read in the same statement as the session. */
  besides?: readonly ReadBeside[]
  /** Runs a command of this request; absent inside a command. Used by `transaction`. */
  begin?<Value>(work: (command: Scope) => Promise<Value>): Promise<Value>
}
