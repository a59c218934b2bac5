/**
 * npm test: all tests. Side by side run the browser journeys, which leave most of the machine idle, the files that mostly
 * wait, one at a time, and all others, two at a time (decision 068). Then failed files run again, each alone, up to twice, and those that
 * measure a whole shop, two at a time (decision 091). The last line is "N passed, N failed". With arguments: only files whose path contains one.
 * With `--all`, journeys walk all their visitors and markets (decision 105).
 */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium } from './ensure-chromium.ts'
import { findTests, root } from './find-tests.ts'
import { type Counts, type Runs, failedTests, recordRuns, runFailedAgain, runFiles, slowestFiles } from './run-tests.ts'
import { isPatient, measuresWholeShop, sharesProcess, wholeShopsLongestFirst } from './test-order.ts'

const { values, positionals: wanted } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean', default: false } } })
// The journeys share one shop: e2e/run.ts starts it for them.
const chosen = findTests()
  .filter((file) => !file.startsWith('e2e/journeys/'))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
const isWhole = wanted.length === 0
const hasChromium = isWhole || chosen.some((file) => file.includes('browser')) ? ensureChromium() : true
const small = chosen.filter((file) => !measuresWholeShop(file))
const stages: string[] = []
let startedAt = Date.now()
const endStage = (name: string) => {
  stages.push(`${name} ${Math.round((Date.now() - startedAt) / 1000)} s`)
  startedAt = Date.now()
}

// Once, before several need the bundles at the same time.
if (isWhole) spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })
endStage('bundles')
const journeys = isWhole && hasChromium ? startJourneys() : undefined
const shares = sharesProcess
const lanes = [
  runFiles(small.filter(isPatient), { atOnce: 1, shares }),
  runFiles(
    small.filter((file) => !isPatient(file)),
    { atOnce: 2, shares },
  ),
]
const runs: Runs = new Map((await Promise.all(lanes)).flatMap((lane) => [...lane]))
endStage('rules and operations')
const ofJourneys = await journeys?.whenOthersEnded()
endStage('journeys beyond them')
if (isWhole) await runFailedAgain(runs)
const late = await runFiles(wholeShopsLongestFirst(chosen), { atOnce: 2 })
if (isWhole) await runFailedAgain(late)
endStage('failed files again, and whole shops')

const total = recordRuns(new Map([...runs, ...late]))
for (const key of ['passed', 'failed'] as const) total[key] += ofJourneys?.[key] ?? 0
if (isWhole && !hasChromium) total.failed++
process.stdout.write(slowestFiles(total.durations ?? new Map()))
if (ofJourneys?.failures || total.failed > 0)
  process.stdout.write(`\n${failedTests(new Map([...runs, ...late]))}${ofJourneys?.failures ?? ''}`)
if (wanted.length === 0) process.stdout.write(`\nDuration: ${stages.join(', ')}\n`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

/** The journeys are a program of their own, whose last line has the same format. Failed ones it repeats when the others have ended. */
function startJourneys(): { whenOthersEnded(): Promise<Counts & { failures: string }> } {
  const child = spawn(process.execPath, [join(root, 'e2e/run.ts'), '--beside', ...(values.all ? ['--all'] : [])], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let tail = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    tail = (tail + String(chunk)).slice(-20_000)
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    whenOthersEnded: async () => {
      if (child.connected) child.send('others ended')
      const code = await ended
      const said = /(\d+) passed, (\d+) failed\s*$/.exec(tail)
      const failures = (tail.match(/^Failed: .*\n/gm) ?? []).join('')
      if (!said) return { passed: 0, failed: 1, failures: 'Failed: the journeys ended before their last line\n' }
      const counts = { passed: Number(said[1]), failed: Number(said[2]), failures }
      return code === 0 ? counts : { ...counts, failed: Math.max(1, counts.failed) }
    },
  }
}
