import type { EventPayloads, EventType } from '#events'
import { aggregateOf } from '#events'
import { newId } from './ids.ts'
import type { Statement } from './scope.ts'

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

export const insertEvents: Statement = {
  name: 'platform.insert-events',
  text: `insert into platform.outbox (id, type, aggregate, payload)
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[])`,
}

/** The four columns of the events, as arrays. */
export function eventColumns(events: readonly Emitted[]): [string[], string[], string[], string[]] {
  return [
    events.map((event) => event.id),
    events.map((event) => event.type),
    events.map((event) => event.aggregate),
    events.map((event) => JSON.stringify(event.payload)),
  ]
}

/** The statement with the events beside it, in one: they are stored only if the part called `written` has a row. */
export function withEvents(statement: Statement, first: number): Statement {
  const known = joined.get(statement.name)
  if (known) return known
  const columns = ['uuid[]', 'text[]', 'text[]', 'jsonb[]'].map((type, index) => `$${first + index}::${type}`).join(', ')
  const sent = `sent as (insert into platform.outbox (id, type, aggregate, payload)
    select * from unnest(${columns}) where exists (select 1 from written))`
  const list = /^\s*with\s+(recursive\s+)?/i.exec(statement.text)
  const text = list
    ? // A part of a recursive list may name a later one.
      `with recursive ${sent}, ${statement.text.slice(list[0].length)}`
    : `with written as (${statement.text}), ${sent} select * from written`
  const made = { name: `${statement.name}+events`, text }
  joined.set(statement.name, made)
  return made
}
const joined = new Map<string, Statement>()
