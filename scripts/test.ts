/**
 * npm test: all tests. Rules and operations, two files at a time, and beside them those that mostly wait; then tests that
 * run a whole shop, one at a time; then the browser journeys. The last line is "N passed, N failed". With arguments: only
 * files whose path contains one.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from './ensure-chromium.ts'
import { findTests, root } from './find-tests.ts'
import { isPatient } from './longest-first.ts'
import { type Counts, runTests, slowestFiles } from './run-tests.ts'

const wanted = process.argv.slice(2)
// The journeys share one shop: e2e/run.ts starts it for them.
const chosen = findTests()
  .filter((file) => !file.startsWith('e2e/journeys/'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
// Each of these uses both cores and relies on timing.
const isWhole = (file: string) => /^(start|e2e|bench)\//.test(file)

const total: Counts = { passed: 0, failed: 0 }
const tookMs = new Map<string, number>()
const add = (counts: Counts) => {
  total.passed += counts.passed
  total.failed += counts.failed
  for (const [file, ms] of counts.tookMs ?? []) tookMs.set(file, ms)
}

const withBrowser = wanted.length === 0
const again = wanted.length === 0
const hasChromium = withBrowser || chosen.some((file) => file.includes('browser')) ? ensureChromium() : true
const small = chosen.filter((file) => !isWhole(file))
const [waiting, busy] = [small.filter(isPatient), small.filter((file) => !isPatient(file))]
const stages: string[] = []
let startedAt = Date.now()
const endStage = (name: string) => {
  stages.push(`${name} ${Math.round((Date.now() - startedAt) / 1000)} s`)
  startedAt = Date.now()
}
const both = [runTests(waiting, { atOnce: 1, again }), runTests(busy, { atOnce: 2, again })]
for (const counts of await Promise.all(both)) add(counts)
endStage('rules and operations')
add(await runTests(chosen.filter(isWhole), { atOnce: 1, again }))
endStage('whole shops')
if (withBrowser && existsSync(join(root, 'e2e/run.ts'))) add(hasChromium ? await journeys() : { passed: 0, failed: 1 })
endStage('journeys')

process.stdout.write(slowestFiles(tookMs))
if (wanted.length === 0) process.stdout.write(`\nDuration: ${stages.join(', ')}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

/** The journeys are a program of their own, whose last line has the same format. */
async function journeys(): Promise<Counts> {
  const child = spawn(process.execPath, [join(root, 'e2e/run.ts')], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  let tail = ''
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    tail = (tail + String(chunk)).slice(-2000)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const said = /(\d+) passed, (\d+) failed\s*$/.exec(tail)
  if (!said) return { passed: 0, failed: 1 }
  const counts = { passed: Number(said[1]), failed: Number(said[2]) }
  return code === 0 ? counts : { ...counts, failed: Math.max(1, counts.failed) }
}
