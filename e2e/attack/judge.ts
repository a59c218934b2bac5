import { partsOf, type Part } from '../chaos/faults.ts'
import { allowedMs, type Outcome } from './attacker.ts'

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
