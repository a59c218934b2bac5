import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Scope } from '@purlin/server/foundation/platform/index.ts'
import type { TestDatabase } from '@purlin/server/foundation/platform/testing.ts'

export type Act = (scope: Scope) => Promise<{ ok: boolean }>
export interface Actor {
  overrides: Partial<Scope>
  act: Act
}

/** Long enough for a statement that waits for nobody; one that is still under way then waits for a lock of the other actor. */
const patienceMs = 40

/** Lets so many statements of a command pass, and holds back the next one. */
class Gate {
  #left: number
  #opened = Promise.withResolvers<void>()
  /** Settled when the command is held back. */
  readonly held = Promise.withResolvers<void>()
  passed = 0

  constructor(statements: number) {
    this.#left = statements
  }

  async pass(): Promise<void> {
    if (this.#left <= 0) {
      this.held.resolve()
      await this.#opened.promise
    }
    this.#left -= 1
    this.passed += 1
  }

  open(): void {
    this.#left = Infinity
    this.#opened.resolve()
  }
}

function gated(db: Db, gate: Gate): Db {
  return {
    rows: async (...query) => {
      await gate.pass()
      return db.rows(...query)
    },
    row: async (...query) => {
      await gate.pass()
      return db.row(...query)
    },
    run: async (...query) => {
      await gate.pass()
      return db.run(...query)
    },
    get reads() {
      return gated(db.reads, gate)
    },
    get alone() {
      return gated(db.alone, gate)
    },
    get reports() {
      return gated(db.reports, gate)
    },
  }
}

/**
 * One order of the steps of two commands: `first` sends `k` statements, `second` sends `m`, then the first one ends, then the
 * second. A command that waits for a lock of the other lets it go on.
 */
export async function interleave(
  database: TestDatabase,
  [first, second]: readonly [Actor, Actor],
  [k, m]: readonly [number, number],
): Promise<{ outcomes: [{ ok: boolean }, { ok: boolean }]; statements: [number, number] }> {
  const gates = [new Gate(k), new Gate(m)] as const
  const start = ({ overrides, act }: Actor, gate: Gate) =>
    database.command(overrides, (scope) => act({ ...scope, db: gated(scope.db, gate) }))
  const pause = (gate: Gate, command: Promise<unknown>) =>
    Promise.race([gate.held.promise, command.catch(() => undefined), sleep(patienceMs)])
  const one = start(first, gates[0])
  await pause(gates[0], one)
  const other = start(second, gates[1])
  await pause(gates[1], other)
  gates[0].open()
  await Promise.race([one.catch(() => undefined), sleep(patienceMs)])
  gates[1].open()
  const outcomes = await Promise.all([one, other])
  return { outcomes, statements: [gates[0].passed, gates[1].passed] }
}

/** Statements that a command sends when nobody else is there. */
export async function statementsOf(database: TestDatabase, { overrides, act }: Actor): Promise<number> {
  const gate = new Gate(Infinity)
  await database.command(overrides, (scope) => act({ ...scope, db: gated(scope.db, gate) }))
  return gate.passed
}
