import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { childEnvironment, log } from '@purlin/server/foundation/platform/index.ts'

const script = join(import.meta.dirname, 'compile-sources.mjs')
const options = ['--disable-warning=ExperimentalWarning', script]
const timeoutMs = 60_000

/**
 * Compiles the sources for `start/compiled.mjs`, in a process of its own: the compiler's memory is free again when it ends. Never rejects,
 * since the shop works without.
 */
export async function compileSources(): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, options, { env: childEnvironment(), timeout: timeoutMs })
  } catch (error) {
    const reason = /^\w*Error.*/m.exec(String((error as { stderr?: string }).stderr))?.[0] ?? String(error)
    log.warn({ reason }, 'the sources could not be compiled: each process compiles them itself, and takes 46 MB more')
  }
}
