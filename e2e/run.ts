/**
 * The journeys: one shop for all of them, then the files of e2e/journeys, each in a browser of its own, three at a time,
 * since browsers mostly wait. The last line is "N passed, N failed".
 * Each journey walks one market, or those that sell (decision 105); with `--all`, all its visitors and markets.
 * With `--beside`, other tests run meanwhile: each wait is three times as long, and failed files are repeated after a message that those have ended.
 * `PATIENCE=5` waits five times as long wherever a journey waits.
 * With arguments, only files whose path contains one of them; `--times 10` runs them ten times in a row, to find those that
 * pass only sometimes. `--shuffle` runs each of them twice in one shop, in an order drawn by chance: whoever fails has met what another
 * one, or its own first run, left behind, as repeats of failed files do.
 */
import { parseArgs } from 'node:util'
import { ensureChromium } from '../scripts/ensure-chromium.ts'
import { filesBelow } from '../scripts/find-tests.ts'
import { runTests, slowestFiles } from '../scripts/run-tests.ts'
import { longestFirst } from '../scripts/test-order.ts'
import { patient } from './support/patience.ts'
import { startShop } from './support/shop.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    beside: { type: 'boolean', default: false },
    shuffle: { type: 'boolean', default: false },
  },
})
const times = Number(values.times)
if (values.all) Object.assign(process.env, { ALL_STATES: '1', ALL_MARKETS: '1' })
const chosen = longestFirst(filesBelow('e2e/journeys', /\.test\.ts$/)).filter(
  (file) => wanted.length === 0 || wanted.some((part) => file.includes(part)),
)
// It signs in nearly as often as one address may: before all others, and once.
const isFirst = (file: string) => file.includes('auth-clients')
const files = values.shuffle ? [...chosen.filter(isFirst), ...shuffled(chosen.filter((file) => !isFirst(file)))] : chosen
const inAnotherOrder = shuffled(files.filter((file) => !isFirst(file)))
if (!files.length) {
  process.stdout.write(`No journey has ${wanted.join(' or ')} in its path.\n0 passed, 1 failed\n`)
  process.exit(1)
}
if (!ensureChromium()) process.exit(1)
const othersEnded = values.beside ? new Promise((resolve) => process.once('message', resolve)) : undefined
// Waits are longer, since the others take their part of the machine; checks stay the same.
if (values.beside) process.env['PATIENCE'] ??= '3'
const again = wanted.length === 0 && times === 1
try {
  let failures = 0
  for (let run = 1; run <= times; run++) {
    // Each run has a shop of its own: ten runs in ten minutes sign in more often than one address may.
    const shop = await startShop({ products: 1_500, quiet: true })
    process.env['SHOP_URL'] = shop.origin
    process.env['SHOP_DATA_DIR'] = shop.dataDir
    try {
      for (const inOrder of values.shuffle ? [files, inAnotherOrder] : [files]) {
        const { passed, failed, durations } = await runTests(inOrder, {
          atOnce: 3,
          shares: () => true,
          fileTimeoutMs: patient(values.all ? 600_000 : 300_000),
          again: again && !values.shuffle,
          beforeAgain: othersEnded,
        })
        failures += failed
        if (durations) process.stdout.write(slowestFiles(durations))
        process.stdout.write(`${times > 1 ? `run ${run} of ${times}: ` : ''}${passed} passed, ${failed} failed\n`)
        process.exitCode = failures === 0 && passed > 0 ? 0 : 1
      }
    } finally {
      await shop.stop()
    }
  }
} finally {
  if (values.beside && process.connected) process.disconnect?.()
}

function shuffled(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ name }) => name)
}
