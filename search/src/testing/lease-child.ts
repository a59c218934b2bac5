import { setTimeout as sleep } from 'node:timers/promises'
import { fileLease, openSearchEngine } from '../index.ts'
import { settings } from './model.ts'

/**
 * A writer in a process of its own. Arguments: directory, prefix of its documents, milliseconds without a heartbeat
 * after which a holder counts as dead. Prints "ready", then the id of each confirmed document, until a write is
 * refused; then the error, once for every kind of write.
 */
const [directory = '', prefix = '', ttlMs = ''] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)
try {
  const engine = await openSearchEngine({
    directory,
    lease: fileLease({ heartbeatMs: Number(ttlMs) / 5, ttlMs: Number(ttlMs) }),
    limits: { flushDocuments: 30, segmentDocuments: 60 },
    onLeaseLost: () => undefined,
  })
  if (!(await engine.listIndexes()).some(({ name }) => name === 'p')) await engine.setSettings('p', settings)
  say('ready')
  for (let at = 0; ; at++) {
    const objectID = `${prefix}${at}`
    const refused = await engine.upsert('p', [{ objectID, title: 'drill' }]).catch(nameOf)
    if (typeof refused === 'string') {
      const others = [engine.setSettings('p', settings), engine.replaceAll('p', [], settings), engine.deleteIndex('p')]
      say(`refused ${[refused, ...(await Promise.all(others.map((one) => one.then(() => 'done', nameOf))))].join(' ')}`)
      break
    }
    say(objectID)
    await sleep(2)
  }
  await engine.close()
} catch (error) {
  say(`closed out ${nameOf(error)}`)
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}
