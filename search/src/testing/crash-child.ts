import { openSearchEngine } from '../index.ts'
import { applyToEngine, changeAt, limits } from './history.ts'
import { settings } from './model.ts'

/** Writes one change after another and reports each, until it is killed. Arguments: folder, seed, first change. */
const [directory, seed, from] = process.argv.slice(2)
const engine = await openSearchEngine({ directory: directory!, limits })
if (Number(from) === 0) await engine.setSettings('p', settings)
process.stdout.write('ready\n')
for (let at = Number(from); ; at++) {
  await applyToEngine(engine, changeAt(Number(seed), at))
  process.stdout.write(`${at}\n`)
}
