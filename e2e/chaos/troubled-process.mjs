/**
 * Preloaded into every process of the shop (F18): blocks its event loop, or takes its memory, as the files named after its id in CLOCK_DIR
 * say: "<id>.busy" with milliseconds, "<id>.memory" with megabytes of buffers and milliseconds. A file is removed when it is obeyed.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'

const folder = process.env.CLOCK_DIR
const megabyte = 2 ** 20
if (folder) {
  const take = (kind) => {
    const file = join(folder, `${process.pid}.${kind}`)
    try {
      const numbers = readFileSync(file, 'utf8').split(' ').map(Number)
      rmSync(file)
      return numbers
    } catch {
      return null
    }
  }
  setInterval(() => {
    const busy = take('busy')
    if (busy) for (const end = performance.now() + busy[0]; performance.now() < end;);
    const memory = take('memory')
    if (memory) hold(...memory)
  }, 250).unref()

  /** So many megabytes beside the heap, and half of what the heap may still grow. */
  function hold(megabytes, ms) {
    const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics()
    const heaped = Array.from({ length: Math.min(Math.floor((limit - used) / 2 / megabyte), 500) }, (_, at) =>
      new Array(megabyte / 8).fill(at + 0.5),
    )
    const held = [...heaped, ...Array.from({ length: megabytes }, () => Buffer.alloc(megabyte, 1))]
    setTimeout(() => void (held.length = heaped.length = 0), ms).unref()
  }
}
