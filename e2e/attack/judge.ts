import { partsOf, type Part } from '../chaos/parts.ts'
import { allowedMs, type Outcome } from './attacker.ts'
import type { Held } from './read-little.ts'

const parts: readonly Part[] = ['app', 'documents', 'worker', 'services']

export type Processes = ReadonlyMap<Part, readonly number[]>

export const processesOf = (shop: { pid?: number }): Processes => new Map(parts.map((part) => [part, partsOf({ shop }, part)]))

/** The processes of the shop that an attack ended. The supervisor starts another within a tenth of a second, so that pages hardly show it. */
export function endedProcesses(before: Processes, after: Processes): string[] {
  const ended = [...before].flatMap(([part, pids]) =>
    pids.filter((pid) => !after.get(part)?.includes(pid)).map((pid) => `a process ended: ${part} (${pid})`),
  )
  const missing = (['app', 'worker', 'services'] as const).filter((part) => (before.get(part) ?? []).length === 0)
  return [...ended, ...missing.map((part) => `no process of the kind ${part} was found, so none could be watched`)]
}

/** One in fifty: a tenth of the generated operations is answered. Without any, nothing shows that the shop executes what it may. */
const leastAnswered = 0.02
/** An operation may be turned away because its turn would come too late; a shop that turns most away has lost. */
const mostTurnedAway = 0.2

/** Violations of the rule for hostile operations. */
export function judgeOperations(outcomes: readonly Outcome[]): string[] {
  const broken = outcomes
    .filter(({ status, ms, bytes }) => ms >= allowedMs(status) || bytes >= 1_000_000 || status === 0 || status === 500)
    .map(({ shape, status, ms, bytes, query }) => `${shape}: ${status} after ${ms.toFixed(0)} ms with ${bytes} bytes: ${query}`)
  const answered = outcomes.filter(({ status }) => status === 200).length
  const turnedAway = outcomes.filter(({ status }) => status === 503 || status === 429).length
  return [
    ...broken,
    ...(answered < Math.max(1, leastAnswered * outcomes.length) ? [`only ${answered} of ${outcomes.length} operations were answered`] : []),
    ...(turnedAway > mostTurnedAway * outcomes.length ? [`${turnedAway} of ${outcomes.length} operations were turned away`] : []),
  ]
}

const mailKinds = ['message-received', 'message-received of a withdrawal', 'newsletter-confirm', 'order-cancelled', 'order-link']

/** At most five mails of each kind, and one at least: a shop that sends none has not held. */
export function judgeMails(rows: readonly { kind: string; n: number }[]): string[] {
  const sent = new Set(rows.map(({ kind }) => kind))
  return [
    ...rows.flatMap(({ kind, n }) => (n > 5 ? [`${n} mails of ${kind} were sent`] : [])),
    ...mailKinds.filter((kind) => !sent.has(kind)).map((kind) => `no mail of ${kind} was sent`),
  ]
}

export interface ReadersSeen {
  /** Connections of each window. */
  held: readonly Held[]
  wanted: number
  /** Largest memory of a web process at any time. */
  mostMb: number
  /** When connections that read nothing were closed. */
  cutAfterMs: readonly number[]
  /** Pages for a phone that reads 5 KB a second. */
  honest: readonly { problem: string | null }[]
}

const maxMb = 450
/** A minute in which nothing was taken, and the next look at the connection. */
const maxSilentMs = 70_000

/** Violations of the rule for connections that hardly read their answers. */
export function judgeReaders({ held, wanted, mostMb, cutAfterMs, honest }: ReadersSeen): string[] {
  const fewest = Math.min(Infinity, ...held.map(({ opened }) => opened))
  const slowest = Math.max(0, ...cutAfterMs)
  return [
    ...(held.length === 0 || fewest < 0.95 * wanted ? [`only ${held.length === 0 ? 0 : fewest} of ${wanted} connections were opened`] : []),
    ...(held.some(({ bytesRead }) => bytesRead === 0) ? ['the slow readers read nothing'] : []),
    ...(mostMb > maxMb ? [`a web process took ${mostMb.toFixed(0)} MB`] : []),
    ...(mostMb > 0 ? [] : ['the memory of no web process was seen']),
    ...(cutAfterMs.length === 0 || slowest > maxSilentMs ? [`a reader of nothing was held for ${(slowest / 1000).toFixed(0)} s`] : []),
    ...(honest.length === 0 ? ['no page was read at 5 KB a second'] : []),
    ...honest.flatMap(({ problem }) => (problem === null ? [] : [`at 5 KB a second: ${problem}`])),
  ]
}

export interface BodySent {
  path: string
  bytes: number
  /** 0 if the connection was cut without an answer. */
  status: number
  ms: number
  /** Statuses that refuse it. */
  refusals: readonly number[]
}

/** Longer, and a connection was held instead of cut. */
const maxBodyMs = 20_000

/** Violations of the rule for bodies over their limit. */
export function judgeBodies(sent: readonly BodySent[]): string[] {
  if (sent.length === 0) return ['no body was sent']
  return sent.flatMap(({ path, bytes, status, ms, refusals }) => [
    ...(refusals.includes(status) ? [] : [`${path} answered ${status} to ${bytes} bytes`]),
    ...(ms > maxBodyMs ? [`${path} took ${(ms / 1000).toFixed(0)} s for ${bytes} bytes`] : []),
  ])
}
