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
  /** False if a part could not be read: it is missing, or what was read before. */
  isCurrent: boolean
}

export const switchesTag = 'switches'
/**
 * A purge of its tag makes a change visible at once; this bounds the delay after a lost purge, and that with which a coupon
 * that begins, ends or is used up begins or ceases to be announced.
 */
const keptMs = 60_000
const memory = inMemory<Switches>('switches', { keptMs, isWhole: ({ isCurrent }) => isCurrent })

export function switches({ db, log }: { db: Db; log: Pick<Log, 'error'> }): Promise<Switches> {
  const nothing = { flags: null, config: null, coupons: [], isCurrent: false }
  return memory.read((last) => read(db, log, last)).catch(() => ({ ...nothing, isBeingRead: memory.isBeingRead() }))
}

/**
 * Not in the caller's transaction: what it reads is shared with every request. What was read before stays for some minutes while it cannot
 * be read again, so that no visitor loses a flag to a database that is busy for a moment; then the empty set is used.
 */
async function read(db: Db, log: Pick<Log, 'error'>, last?: Switches): Promise<Switches> {
  // In order: a database that hangs holds one connection.
  const [flags] = await Promise.allSettled([readFlags(db.reads)])
  const [config] = await Promise.allSettled([readConfig(db.reads)])
  if (flags.status === 'rejected')
    log.error(
      { err: flags.reason as unknown },
      last?.flags ? 'Flags are unavailable; the last ones stay' : 'Flags are unavailable; the empty set is used',
    )
  if (config.status === 'rejected') log.error({ err: config.reason as unknown }, 'The platform config could not be read')
  const rows = config.status === 'fulfilled' ? config.value : (last?.config ?? null)
  const coupons = await couponsOf(db.reads, rows ?? []).catch((error: unknown) => {
    log.error({ err: error }, 'The coupons behind announced codes could not be read; none is announced')
    return []
  })
  return {
    isBeingRead: false,
    coupons,
    isCurrent: flags.status === 'fulfilled' && config.status === 'fulfilled',
    flags: flags.status === 'fulfilled' ? flags.value : (last?.flags ?? null),
    config: rows,
  }
}

/** Whether these are still the current ones: for answers that are shared. */
export function holdsSwitches(): () => boolean {
  return memory.holds()
}

export function forgetSwitches(): void {
  memory.forget()
}
