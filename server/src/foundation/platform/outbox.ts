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

/** A write that goes before the command's own, e.g. the row of a new session. */
export interface First {
  statement: Statement
  values: readonly unknown[]
}

/**
 * One statement of many: the command's write, what goes before it, and its events, which are stored only if the part
 * called `written` has a row.
 */
export function joined(
  statement: Statement,
  values: readonly unknown[],
  firsts: readonly First[],
  events: readonly Emitted[],
): { statement: Statement; values: unknown[] } {
  const all = [...values, ...firsts.flatMap((first) => first.values), ...(events.length ? eventColumns(events) : [])]
  const name = [statement.name, ...firsts.map((first) => first.statement.name), ...(events.length ? ['events'] : [])].join('+')
  let known = made.get(name)
  if (!known) made.set(name, (known = join(name, statement, values.length, firsts, events.length > 0)))
  return { statement: known, values: all }
}
const made = new Map<string, Statement>()

function join(name: string, statement: Statement, count: number, firsts: readonly First[], hasEvents: boolean): Statement {
  const parts: string[] = []
  let next = count
  firsts.forEach(({ statement: first, values }, at) => {
    parts.push(`first_${at} as (${first.text.replace(/\$(\d+)/g, (_, number: string) => `$${next + Number(number)}`)})`)
    next += values.length
  })
  if (hasEvents) {
    const columns = ['uuid[]', 'text[]', 'text[]', 'jsonb[]'].map((type, index) => `$${next + 1 + index}::${type}`).join(', ')
    parts.push(`sent as (insert into platform.outbox (id, type, aggregate, payload)
      select * from unnest(${columns}) where exists (select 1 from written))`)
  }
  if (parts.length === 0) return statement
  const list = /^\s*with\s+(recursive\s+)?/i.exec(statement.text)
  const text = list
    ? // A part of a recursive list may name a later one.
      `with recursive ${parts.join(', ')}, ${statement.text.slice(list[0].length)}`
    : `with recursive ${parts.join(', ')}, written as (${statement.text}) select * from written`
  return { name, text }
}
