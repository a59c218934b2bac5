import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Tells every 20 ms how late it is and what it holds. */
const program = `
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    const { heapUsed, external } = process.memoryUsage()
    console.log(JSON.stringify({ late: now - last, heap: heapUsed / 2 ** 20, beside: external / 2 ** 20 }))
    last = now
  }, 20)`

interface Told {
  late: number
  heap: number
  beside: number
}

test(
  'F18 a process is made busy or short of memory by a file with its id, and the memory comes back',
  { timeout: 60_000 },
  async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'troubled-'))
    const preload = pathToFileURL(join(import.meta.dirname, 'troubled-process.mjs')).href
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=200', '--expose-gc', `--import=${preload}`, '--input-type=module', '-e', `${program}; setInterval(gc, 100)`],
      {
        env: { ...process.env, CLOCK_DIR: folder, NODE_OPTIONS: '', NODE_TEST_CONTEXT: undefined },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    context.after(() => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true })
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const until = async (isMet: (told: Told) => boolean): Promise<Told> => {
      for (;;) {
        const { value, done } = await lines.next()
        assert.ok(!done, 'the process has ended')
        const told = JSON.parse(value) as Told
        if (isMet(told)) return told
      }
    }
    const calm = await until(({ late }) => late > 0)
    const obey = (kind: string, text: string) => writeFileSync(join(folder, `${child.pid}.${kind}`), text)
    obey('busy', '700')
    await until(({ late }) => late >= 700)
    assert.equal(existsSync(join(folder, `${child.pid}.busy`)), false, 'once is enough')
    obey('memory', '60 1500')
    await until(({ heap, beside }) => beside > calm.beside + 55 && heap > calm.heap + 60)
    await until(({ heap, beside }) => beside < calm.beside + 10 && heap < calm.heap + 20)
  },
)
