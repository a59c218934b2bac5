import type { EventPayloads, EventType } from '#events'
import { aggregateOf } from '#events'
import { newId } from './ids.ts'
import type { Statement } from './scope.ts'
import { withTrace } from './tracing.ts'

/** An event on its way into the outbox. */
export interface Emitted {
  id: string
  type: EventType
  aggregate: string
  payload: EventPayloads[EventType]
}

export function emitted<Type extends EventType>(type: Type, payload: EventPayloads[Type]): Emitted {
  return { id: newId(), type, aggregate: aggregateOf(payload), payload }
}

/** One event as the four parameters of `storeEvents`. */
export function eventValues<Type extends EventType>(type: Type, payload: EventPayloads[Type]): unknown[] {
  return eventColumns([emitted(type, payload)])
}

export const insertEvents: Statement = { name: 'platform.insert-events', text: storeEvents(1) }

/**
 * SQL that stores the events in four parameters from `$from` on (see eventColumns), only if `when` holds: for a statement
 * that is its own transaction, as part of its WITH list.
 */
export function storeEvents(from: number, when = 'true'): string {
  return `insert into platform.outbox (id, type, aggregate, payload)
    select * from unnest($${from}::uuid[], $${from + 1}::text[], $${from + 2}::text[], $${from + 3}::jsonb[]) where ${when}`
}

/** The four columns of the events, as arrays. */
export function eventColumns(events: readonly Emitted[]): [string[], string[], string[], string[]] {
  return [
    events.map((event) => event.id),
    events.map((event) => event.type),
    events.map((event) => event.aggregate),
    events.map((event) => JSON.stringify(withTrace(event.payload))),
  ]
}
