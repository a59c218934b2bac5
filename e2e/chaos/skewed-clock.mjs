/**
 * Preloaded into every process of the shop: shifts its clock by the milliseconds in the file named after its id in CLOCK_DIR (F12). The
 * database keeps the honest clock.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.CLOCK_DIR
if (folder) {
  const Honest = Date
  let offsetMs = 0
  setInterval(() => {
    try {
      offsetMs = Number(readFileSync(join(folder, String(process.pid)), 'utf8'))
    } catch {
      offsetMs = 0
    }
  }, 250).unref()
  globalThis.Date = class Date extends Honest {
    constructor(...given) {
      if (given.length === 0) super(Honest.now() + offsetMs)
      else super(...given)
    }
    static now() {
      return Honest.now() + offsetMs
    }
  }
}
