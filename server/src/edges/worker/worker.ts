import { setTimeout as sleep } from 'node:timers/promises'
import { type Lane, type Pool, isWoken, log, mailsAtOnce, onWake } from '#platform'
import { claimWork, freeClaims, settleUnheard } from './claim.ts'
import { type Table, handle } from './handle.ts'
import { countWork } from './housekeeping.ts'
import type { AllJobs } from './load-jobs.ts'
import { isLong, isShort, longJobsOnce, runLongJobs } from './long-jobs.ts'
import { registerSchedules, runSchedules } from './schedules.ts'

export interface WorkerOptions extends AllJobs {
  pool: Pool
  /** The name of the role, not of the process: a successor with the same name takes over the claims of a dead one. */
  name?: string
}

export interface Worker {
  /** Accepts no new work and waits for work in progress. */
  stop(): Promise<void>
}

/** Maximum concurrency of events and of the jobs with them; most work waits for external systems or the disk. */
const atOnce = 20
/**
 * Maximum concurrency of each lane. More mails than the mail server is sent at once would only wait where they cannot be stopped. Patient jobs
 * may hold their connections for a second each, and orders need the others; each module has one place, so that one whose tables hang
 * holds up none of the others.
 */
const lanePlaces: Record<Lane, number> = { mail: mailsAtOnce, patient: 5, services: 20, strangers: 20 }
/** Free capacity that justifies another claim query. */
const worthAsking = 5
const batch = 64
/** Without wake-ups, for which this is the safety net, polling slows down gradually. Lanes, whose work is not urgent, have no wake-ups. */
const shortestPauseMs = 10
const maxPauseMs = 200
/** Minimum time between two claims, so that under load one claim serves several orders; after a quiet moment work is claimed at once. */
const gatherMs = 15

/** Polls for events, jobs and schedules until stopped; survives outages of the database. */
export function startWorker({ pool, name = 'worker-1', handlers, jobs, schedules }: WorkerOptions): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  const short = jobs.filter(isShort)
  const long = jobs.filter(isLong)
  const table = { handlers, jobs: short }
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)

  const loop = async (round: () => Promise<number>, shortest: number, longest: number) => {
    let wait = shortest
    while (!signal.aborted) {
      let done = 0
      try {
        done = await round()
      } catch (error) {
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the worker cannot reach its work')
        wait = longest
      }
      wait = done ? shortest : Math.min(longest, wait * 1.5)
      if (!signal.aborted) await pause(wait)
    }
  }
  const ready = untilDone(async () => {
    await freeClaims(pool.db, name)
    await registerSchedules(pool, schedules)
  }, signal)
  const loops = ready.then(() =>
    Promise.all([
      ...lanesOf(short).map((lane) => {
        const others = [...long, ...short.filter((each) => each.lane !== lane)].map((each) => each.name)
        const share = lane
          ? { heard: [], places: lanePlaces[lane], isUrgent: false, byModule: lane === 'patient' }
          : { heard: heardOf(table), places: atOnce, isUrgent: true, byModule: false }
        return pump(pool, { ...table, ...share, others }, name, signal)
      }),
      runLongJobs(pool, long, name, signal),
      loop(() => settleUnheard(pool.db, heardOf(table)), 1000, 1000),
      loop(() => runSchedules(pool, schedules), 500, 500),
      loop(async () => (await countWork(pool), 0), 5000, 5000),
    ]),
  )
  return {
    stop: async () => {
      stopping.abort()
      await loops
    },
  }
}

/** The lanes of these jobs, and undefined for the events and the jobs without a lane. */
function lanesOf(jobs: Table['jobs']): (Lane | undefined)[] {
  return [...new Set([undefined, ...jobs.map(({ lane }) => lane)])]
}

/** What one pump claims: events of the types `heard`, and jobs that are not among the `others`. */
interface Share extends Table {
  heard: readonly string[]
  others: readonly string[]
  /** Pieces of work handled at the same time. */
  places: number
  /** Claims as soon as something wakes it. */
  isUrgent: boolean
  /** One piece of work of each module at a time. */
  byModule: boolean
}

const moduleOf = (name: string): string => name.split('.')[0] ?? name

/** Claims new work as soon as there is capacity: one slow external call must not hold up the rest. */
async function pump(
  pool: Pool,
  { heard, others, places, isUrgent, byModule, ...table }: Share,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const busy = new Set<string>()
  const leftOut = () => [...others, ...table.jobs.filter((each) => busy.has(moduleOf(each.name))).map((each) => each.name)]
  let pauseMs = isUrgent ? shortestPauseMs : maxPauseMs
  let round = 0
  let news = Promise.withResolvers<void>()
  const pause = (ms: number) => (ms > 0 ? sleep(ms, undefined, { signal }).catch(() => undefined) : Promise.resolve())
  const stopListening = isUrgent ? onWake(({ topic }) => topic === 'work' && news.resolve()) : () => undefined
  while (!signal.aborted) {
    let taken = 0
    const claimedAt = performance.now()
    round++
    // A notification that arrives during a claim counts for the next round.
    news = Promise.withResolvers<void>()
    try {
      const free = places - underWay.size
      const room = byModule ? Math.min(1, free) : free
      const claimed = room >= (isUrgent ? worthAsking : 1) ? await claimWork(pool.db, name, room, heard, byModule ? leftOut() : others) : []
      taken = claimed.length
      for (const each of claimed) {
        const claimedIn = round
        if (byModule) busy.add(moduleOf(each.type))
        const work = handle(pool, table, each, signal).finally(() => {
          underWay.delete(work)
          busy.delete(moduleOf(each.type))
          // Finished work may unblock a later event of its aggregate that a round has skipped, or free capacity for others.
          if (!isWoken() || round > claimedIn || taken === room) news.resolve()
        })
        underWay.add(work)
      }
      if (isWoken() || !isUrgent) pauseMs = maxPauseMs
      else pauseMs = taken ? shortestPauseMs : Math.min(maxPauseMs, pauseMs * 1.5)
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the worker cannot reach its work')
      pauseMs = maxPauseMs
    }
    // The next module may have work as well.
    if (byModule && taken > 0) continue
    await Promise.race([pause(pauseMs), news.promise])
    if (taken > 0) await pause(claimedAt + gatherMs - performance.now())
  }
  stopListening()
  await Promise.all(underWay)
}

/** One round: claims due work and handles it, several pieces at a time. Returns the number of pieces claimed. */
export async function workOnce(pool: Pool, table: Pick<AllJobs, 'handlers' | 'jobs'>, name: string, signal: AbortSignal): Promise<number> {
  const heard = heardOf(table)
  const long = table.jobs.filter(isLong)
  const short = { ...table, jobs: table.jobs.filter(isShort) }
  const settled = await settleUnheard(pool.db, heard)
  const ran = await longJobsOnce(pool, long, name, signal)
  const names = long.map((each) => each.name)
  const claimed = await claimWork(pool.db, name, batch, heard, names)
  const queue = [...claimed]
  await Promise.all(
    Array.from({ length: Math.min(atOnce, queue.length) }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await handle(pool, short, next, signal)
    }),
  )
  return claimed.length + settled + ran
}

function heardOf({ handlers }: Pick<Table, 'handlers'>): string[] {
  return [...new Set(handlers.map(({ type }) => type))]
}

async function untilDone(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the worker waits for the database')
      await sleep(500, undefined, { signal }).catch(() => undefined)
    }
  }
}
