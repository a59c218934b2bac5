/**
 * Preloaded into every process of the shop: shifts its clock by the milliseconds in the file named after its id in CLOCK_DIR (F12), and
 * writes "<id>.shifted" when it has. The database keeps the honest clock.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.CLOCK_DIR
if (folder) {
  const Honest = Date
  let offsetMs = 0
  setInterval(() => {
    try {
      const told = Number(readFileSync(join(folder, String(process.pid)), 'utf8'))
      if (told !== offsetMs) writeFileSync(join(folder, `${process.pid}.shifted`), '')
      offsetMs = told
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
