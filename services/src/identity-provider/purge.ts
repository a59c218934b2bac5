import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { purgeArtifacts } from './artifacts.ts'
import { purgeAttempts } from './attempts.ts'
import { purgeDevices } from './devices.ts'
import { purgeNetworks } from './known-networks.ts'
import { purgeTokens } from './tokens.ts'

/** Deletes expired data: personal data is stored no longer than it is used. */
export async function purge(db: Db): Promise<void> {
  await purgeArtifacts(db)
  await purgeTokens(db)
  await purgeAttempts(db)
  await purgeDevices(db)
  await purgeNetworks(db)
}
