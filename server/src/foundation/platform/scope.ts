import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { EventPayloads, EventType } from '#events'

/** A prepared statement: the name is what Postgres caches the plan under, so one name has one text. */
export interface Statement {
  name: string
  text: string
}

/** Runs SQL: inside one transaction for a command, straight on the pool for a question. */
export interface Db {
  rows<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  row<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row | undefined>
  /** Number of rows touched. */
  run(statement: Statement, values?: readonly unknown[]): Promise<number>
  /**
   * The one write of a command, sent together with its events as a single statement that commits by itself: no BEGIN,
   * no COMMIT. Either plain DML with RETURNING, or a WITH list in which one part is called `written`. Events emitted
   * before are stored only when `written` has a row. Inside a transaction already begun it is a statement like any other.
   */
  atomic<Row extends object>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  /**
   * A write whose answer nobody waits for: within a command it travels with the next statement, or with the COMMIT, and
   * is done before it. What goes wrong with it is thrown there. Straight on the pool it is done at once.
   */
  later(statement: Statement, values?: readonly unknown[]): Promise<void>
}

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The session behind a request; `id` is the opaque id in the cookie, hashed. */
export interface SessionRef {
  id: string
  /** Made for this very command: its row is stored with the first thing the command writes. */
  isNew?: boolean
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
  log: Log
}

/** What every operation takes first: the site, and who acts. */
export interface Scope extends SiteScope {
  /** Resolved before the operation runs; `authorize` (#accounts) says what they may do. */
  principal: Principal
  /** Null for a visitor without a session yet; commands that need one get it from the gateway. */
  session: SessionRef | null
}
