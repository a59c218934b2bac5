import { checkFlagValue, type FlagName } from '@purlin/contract/flags.ts'
import { marketCodes, modes } from '@purlin/contract/markets.ts'
import { purgePages, type JobScope } from '#platform'
import type { ConfigKey, ConfigValues } from './platform-config.ts'
import { putFlagRow, removeFlagRow, writeConfigRow } from './store.ts'
import { switchesTag } from './switches.ts'

export interface Place {
  /** `*`: all markets. */
  market: string
  /** `*`: both storefronts. */
  mode: string
}

/** Tags of every cached page of some storefronts: their headers show flags and config. */
export function shellTags({
  markets = marketCodes,
  modes: modesHere = modes,
}: { markets?: readonly string[]; modes?: readonly string[] } = {}): string[] {
  return markets.flatMap((market) => modesHere.map((mode) => `shell:${market}:${mode}`))
}

const of = ({ market, mode }: Place) => ({ ...(market !== '*' && { markets: [market] }), ...(mode !== '*' && { modes: [mode] }) })

/** @throws InvalidFlagValue */
export async function setFlag({ db }: Pick<JobScope, 'db'>, place: Place, name: FlagName, value: unknown): Promise<void> {
  await putFlagRow(db, { ...place, name, value: checkFlagValue(name, value) })
  await purgePages(db, [switchesTag, ...shellTags(of(place))])
}

export async function unsetFlag({ db }: Pick<JobScope, 'db'>, place: Place, name: FlagName): Promise<boolean> {
  const removed = await removeFlagRow(db, { ...place, name })
  if (removed) await purgePages(db, [switchesTag, ...shellTags(of(place))])
  return removed > 0
}

/** A new version of a key; false when another version was written since the one it replaces. */
export async function setConfig<Key extends ConfigKey>(
  { db }: Pick<JobScope, 'db'>,
  place: Place,
  { key, value, replaces }: { key: Key; value: ConfigValues[Key]; replaces: number },
): Promise<boolean> {
  const written = await writeConfigRow(db, { ...place, key, version: replaces, value })
  if (written) await purgePages(db, [switchesTag, ...shellTags(of(place))])
  return written > 0
}
