import type { QueryResult } from 'pg'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { EventPayloads, EventType } from '#events'

/** A prepared statement: the name is what Postgres caches the plan under, so one name has one text. */
export interface Statement {
  name: string
  text: string
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
  /** Number of rows touched. */
  run(statement: Statement, values?: readonly unknown[]): Promise<number>
}

/**
 * In a command: its one transaction, which begins with the first statement sent here. In a query: reads, and Postgres
 * refuses anything else. Statements that do not wait for each other (`Promise.all`) run in the order they were sent and
 * share one round trip.
 */
export interface Db extends Queries {
  /** Outside the transaction, together with the reads of other requests: for what a command only looks at. */
  reads: Db
  /** Each statement is a transaction of its own and stands whatever becomes of the command. For measured cases. */
  alone: Db
  /** Reads that take long: on connections of their own, which no visitor waits for. */
  reports: Db
}

/** The scope of a command whose only write is a transaction by itself (`db.alone`): what it reads needs none. */
export function readingAside(scope: Scope): Scope {
  return { ...scope, db: scope.db.reads }
}

/** The ways to the database beside a command's transaction. */
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

/** What an anonymous action is given: the site and the database, and no word about who asks. Its answer is the same for everybody. */
export interface SiteScope {
  /** The site: market and mode, and scheme and host. A market has several hosts, each with cookies of its own; links lead back to the one in use. */
  market: Market
  mode: Mode
  origin: string
  /** Display choice: prices with VAT on a b2b storefront. */
  prefersVat: boolean
  now: Date
  db: Db
  /** Written to the outbox in the same transaction; handed to those who care after commit. */
  emit<Type extends EventType>(type: Type, payload: EventPayloads[Type]): void
  /**
   * Says of the answer to the question being asked that every visitor of the site gets the same while `holds` is true:
   * the gateway may then give it again without asking.
   */
  share?(holds: () => boolean): void
  requestId: string
  /** Network address of whoever asks, where the gateway knows it. For limits, never for rights. */
  remoteAddress?: string
  log: Log
}

/** What every operation takes first: the site, and who acts. */
export interface Scope extends SiteScope {
  /** Resolved before the operation runs; `authorize` (#accounts) says what they may do. */
  principal: Principal
  /** Null for a visitor without a session yet; commands that need one get it from the gateway. */
  session: SessionRef | null
  /** Runs a command of this request; absent where one is under way. Used by `transaction`. */
  begin?<Value>(work: (command: Scope) => Promise<Value>): Promise<Value>
}
