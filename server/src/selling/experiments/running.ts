import type { Experiment } from '@purlin/contract/experiments.ts'
import { log, type Db } from '#platform'
import { readExperiments } from './store.ts'

/** Running experiments in this process's memory: pages ask for them synchronously, before they look into their cache. */
let running: readonly Experiment[] = []
export const experimentsTag = 'experiments'

export async function loadExperiments(db: Db): Promise<void> {
  const rows = await readExperiments(db.reads)
  running = rows.filter(({ state }) => state === 'running').map(({ campaignId, name, definition }) => ({ campaignId, name, ...definition }))
}

/** Reads them again; those known stay while the database does not answer. */
export function reloadExperiments(db: Db): void {
  loadExperiments(db).catch((error: unknown) => log.error({ err: error }, 'Experiments are unavailable; the known ones go on'))
}

export function runningExperiments(): readonly Experiment[] {
  return running
}
