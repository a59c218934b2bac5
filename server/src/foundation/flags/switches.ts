import { inMemory, type Db, type Log } from '#platform'
import { readConfig, readFlags, type FlagRow } from './store.ts'
import { couponsOf, type AnnouncedCoupon } from './announced-codes.ts'
import type { ConfigRow } from './platform-config.ts'

/** Flags and platform config in this process's memory; null when they could not be read. */
export interface Switches {
  flags: readonly FlagRow[] | null
  config: readonly ConfigRow[] | null
  /** There is no config because its read has not ended yet. */
  isBeingRead: boolean
  /** The coupons behind the codes of the config, none if they could not be read. */
  coupons: readonly AnnouncedCoupon[]
}

export const switchesTag = 'switches'
/**
 * A purge of its tag makes a change visible at once; this bounds the delay after a lost purge, and that with which a coupon
 * that begins, ends or is used up begins or ceases to be announced.
 */
const keptMs = 60_000
const memory = inMemory<Switches>('switches', { keptMs, isWhole: ({ flags, config }) => flags !== null && config !== null })

export function switches({ db, log }: { db: Db; log: Pick<Log, 'error'> }): Promise<Switches> {
  return memory.read(() => read(db, log)).catch(() => ({ flags: null, config: null, coupons: [], isBeingRead: memory.isBeingRead() }))
}

/** Not in the caller's transaction: what it reads is shared with every request. Nor on lines that other reads share: it may hang. */
async function read(db: Db, log: Pick<Log, 'error'>): Promise<Switches> {
  // In order: a database that hangs holds one connection.
  const [flags] = await Promise.allSettled([readFlags(db.alone)])
  const [config] = await Promise.allSettled([readConfig(db.alone)])
  if (flags.status === 'rejected') log.error({ err: flags.reason as unknown }, 'Flags are unavailable; the empty set is used')
  if (config.status === 'rejected') log.error({ err: config.reason as unknown }, 'The platform config could not be read')
  const rows = config.status === 'fulfilled' ? config.value : []
  const coupons = await couponsOf(db.reads, rows).catch((error: unknown) => {
    log.error({ err: error }, 'The coupons behind announced codes could not be read; none is announced')
    return []
  })
  return {
    isBeingRead: false,
    coupons,
    flags: flags.status === 'fulfilled' ? flags.value : null,
    config: config.status === 'fulfilled' ? config.value : null,
  }
}

/** Whether these are still the current ones: for answers that are shared. */
export function holdsSwitches(): () => boolean {
  return memory.holds()
}

export function forgetSwitches(): void {
  memory.forget()
}
