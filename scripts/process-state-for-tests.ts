import { mock } from 'node:test'
import { register } from 'prom-client'

/** Remembers what test files may change in their process, to restore it for the next one. */
export function processState(): { restore(): void } {
  const environment = { ...process.env }
  const folder = process.cwd()
  return {
    restore() {
      mock.reset()
      // Its registry is shared, as packages are, and each file registers its metrics.
      register.clear()
      process.chdir(folder)
      for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
      Object.assign(process.env, environment)
    },
  }
}
