import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Violation } from '../invariants.ts'

/** Longer than all tries of an event that fails each time. */
const patienceMs = 300_000

interface Outbox {
  parked: number
  waiting: number
  /** Parked although the run did not write them. */
  foreign: string[]
}

/**
 * F21: each unreadable event has been parked and no other one; removes them, so that the outbox can be compared with the orders. An event
 * that is still waiting after five minutes blocks nothing, but nobody is told of it either: that is a violation of I9.
 */
export async function poisonViolations(ask: <Row>(work: (pool: pg.Pool) => Promise<Row>) => Promise<Row>, pool: pg.Pool) {
  const look = (): Promise<Outbox> =>
    ask(async () => {
      const { rows } = await pool.query<{ type: string; ours: boolean; parked: boolean }>(
        `select type, aggregate like 'chaos:%' as ours, parked_at is not null as parked from platform.outbox
        where done_at is null and (aggregate like 'chaos:%' or parked_at is not null)`,
      )
      return {
        parked: rows.filter(({ ours, parked }) => ours && parked).length,
        waiting: rows.filter(({ ours, parked }) => ours && !parked).length,
        foreign: rows.filter(({ ours }) => !ours).map(({ type }) => type),
      }
    })
  let now = await look()
  for (const end = Date.now() + patienceMs; now.waiting > 0 && Date.now() < end; now = await look()) await sleep(1000)
  await ask(() => pool.query(`delete from platform.outbox where aggregate like 'chaos:%'`))
  const violations: Violation[] = [
    ...(now.waiting > 0 ? [{ id: 'I9' as const, what: `${now.waiting} unreadable events were not parked` }] : []),
    ...now.foreign.map((type) => ({ id: 'I9' as const, what: `an event ${type} was parked that the run did not write` })),
  ]
  return { parked: now.parked, violations }
}
