/** Preloaded into the processes of a shop: on SIGUSR2 a web process collects garbage and writes what it still holds into WEIGH_DIR. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const folder = process.env.WEIGH_DIR
if (folder && process.argv[1]?.endsWith('start/app.ts')) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', () => {
    collect()
    // Buffers are freed by the collection after the one that found them unused.
    collect()
    const { heapUsed, external } = process.memoryUsage()
    const file = join(folder, String(process.pid))
    writeFileSync(`${file}.part`, String(heapUsed + external))
    renameSync(`${file}.part`, file)
  })
}
