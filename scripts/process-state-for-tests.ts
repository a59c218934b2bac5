import { mock } from 'node:test'
import { register } from 'prom-client'

/** Remembers what test files may change in their process, to restore it for the next one. */
export function processState(): { restore(): void } {
  const environment = { ...process.env }
  const folder = process.cwd()
  const globals = Object.getOwnPropertyDescriptors(globalThis)
  return {
    restore() {
      mock.reset()
      // Its registry is shared, as packages are, and each file registers its metrics.
      register.clear()
      restoreGlobals(globals)
      process.chdir(folder)
      for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
      Object.assign(process.env, environment)
    },
  }
}

/** Globals with names: packages, which stay loaded, keep what they share in those with symbols. */
function restoreGlobals(before: PropertyDescriptorMap): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) if (!Object.hasOwn(before, name)) Reflect.deleteProperty(globalThis, name)
  for (const [name, own] of Object.entries(before)) {
    const now = Reflect.getOwnPropertyDescriptor(globalThis, name)
    if (now?.value !== own.value || now?.get !== own.get) Reflect.defineProperty(globalThis, name, own)
  }
}
