import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { purgeArtifacts } from './artifacts.ts'
import { purgeAttempts } from './attempts.ts'
import { purgeNetworks } from './known-networks.ts'
import { purgeTokens } from './tokens.ts'

const batch = 1000

/** Deletes all expired data, a batch at a time: personal data is stored no longer than it is used, and what strangers store must not grow. */
export async function purge(db: Db, stopped?: AbortSignal): Promise<void> {
  for (const purgeBatch of [purgeArtifacts, purgeTokens, purgeAttempts, purgeNetworks])
    while (!stopped?.aborted && (await purgeBatch(db, batch)) >= batch);
}
