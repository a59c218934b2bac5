import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Below the ephemeral range, so that no outgoing connection takes the port before its shop does. */
const lowest = 18_000
const highest = 30_000

/** A port for a private shop; the six after it are free too, for the embedded services. @throws Error when none is found */
export async function freePorts(): Promise<number> {
  for (let turn = 0; turn < 100; turn++, await sleep(1)) {
    const port = lowest + 7 * Math.floor((Math.random() * (highest - lowest)) / 7)
    const free = await Promise.all([0, 1, 2, 3, 4, 5, 6].map((more) => isFree(port + more)))
    if (free.every(Boolean)) return port
  }
  throw new Error(`No seven ports in a row are free between ${lowest} and ${highest}`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}
