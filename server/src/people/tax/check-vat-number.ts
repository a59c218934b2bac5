import { enqueue, type CallContext, type Db, type JobScope } from '#platform'
import { vatFollowers } from './ports.ts'
import { requesterFor, vatService } from './settings.ts'
import { keepAnswer, lockRecord, readRecord, writeStanding } from './store.ts'
import { customerOf } from './tax-record.ts'
import { isNumberOf } from './whose-number.ts'
import { registerOf, type VatRegister } from './vat-number.ts'
import { pauseBefore, standingAfter, type VatAnswer } from './vat-state.ts'

export interface CheckJob {
  owner: string
}

export interface Checked {
  vatNumber: string
  service: VatRegister
  requester: string | null
  askedAt: string
  answer: VatAnswer
}

/** Has the worker ask the register about the number of this owner. */
export function enqueueVatCheck({ db }: { db: Db }, owner: string, runAt?: Date): Promise<void> {
  return enqueue(db, { name: 'tax.check-vat', key: owner, payload: { owner } satisfies CheckJob, ...(runAt && { runAt }) })
}

/** Queries the register; null when there is nothing to query. */
export async function check({ db, signal, now }: CallContext, { owner }: CheckJob): Promise<Checked | null> {
  const vatNumber = (await readRecord(db, owner))?.vatNumber ?? null
  const service = vatNumber === null ? null : registerOf(vatNumber)
  if (vatNumber === null || service === null) return null
  const requester = requesterFor(service)
  const answer = await vatService(service).check(vatNumber, { requester, signal })
  return { vatNumber, service, requester, askedAt: now.toISOString(), answer }
}

/** Stores the response as evidence, updates the state, and schedules the next check. */
export async function recordAnswer(scope: JobScope, { owner }: CheckJob, checked: Checked | null): Promise<void> {
  const known = checked && (await lockRecord(scope.db, owner))
  // The number is gone, or another one, which has a job of its own.
  if (!known || known.vatNumber !== checked.vatNumber || known.vatState === null) return
  const { vatNumber, answer } = checked
  const askedAt = new Date(checked.askedAt)
  await keepAnswer(scope.db, { owner, ...checked, askedAt }, answer)
  // A number that was confirmed stays theirs: another name makes it pending when it is saved.
  const isTheirs = known.vatState === 'valid' || (answer.outcome === 'valid' && (await isNumberOf(scope.db, known, vatNumber, answer.name)))
  const before = { state: known.vatState, doubts: known.vatDoubts, tries: known.vatTries }
  const standing = standingAfter(before, answer, { isTheirs })
  const pause = pauseBefore(standing)
  const nextAt = pause === null ? null : new Date(scope.now.getTime() + pause)
  const answeredAt = answer.outcome === 'unanswered' ? null : askedAt
  await writeStanding(scope.db, { owner, vatNumber }, standing, { nextAt, answeredAt })
  if (nextAt) await enqueueVatCheck(scope, owner, nextAt)
  for (const follow of vatFollowers()) await follow(scope, { customerId: customerOf(owner), vatNumber, state: standing.state, answer })
}
