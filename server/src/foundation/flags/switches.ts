import type { Db, Log } from '#platform'
import { readConfig, readFlags, type FlagRow } from './store.ts'
import type { ConfigRow } from './platform-config.ts'

/** Flags and platform config in this process's memory; null when they could not be read. */
export interface Switches {
  flags: readonly FlagRow[] | null
  config: readonly ConfigRow[] | null
}

export const switchesTag = 'switches'
/** A purge of its tag makes a change visible at once; this only bounds the delay after a lost purge. */
const keptMs = 600_000
/** After a failure they are read again soon. */
const retryMs = 1_000
let kept: { switches: Promise<Switches>; until: number } | undefined

export function switches({ db, log }: { db: Db; log: Pick<Log, 'error'> }): Promise<Switches> {
  const now = Date.now()
  if (kept && kept.until > now) return kept.switches
  const asked = { switches: read(db, log), until: now + keptMs }
  kept = asked
  void asked.switches.then(({ flags, config }) => {
    if (!flags || !config) asked.until = Date.now() + retryMs
  })
  return asked.switches
}

/** Not in the caller's transaction: what it reads is shared with every request. */
async function read(db: Db, log: Pick<Log, 'error'>): Promise<Switches> {
  const [flags, config] = await Promise.allSettled([readFlags(db.reads), readConfig(db.reads)])
  if (flags.status === 'rejected') log.error({ err: flags.reason as unknown }, 'Flags are unavailable; the empty set is used')
  if (config.status === 'rejected') log.error({ err: config.reason as unknown }, 'The platform config could not be read')
  return {
    flags: flags.status === 'fulfilled' ? flags.value : null,
    config: config.status === 'fulfilled' ? config.value : null,
  }
}

/** Whether these are still the current ones: for answers that are shared. */
export function holdsSwitches(): () => boolean {
  const now = kept
  return () => kept === now && now !== undefined && now.until > Date.now()
}

export function forgetSwitches(): void {
  kept = undefined
}
