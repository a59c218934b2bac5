/**
 * npm run chaos: guests buy from a shop of its own while faults are injected at random; afterwards the invariants
 * (docs/reliability.md) are checked against the tables, the payment provider's own list, the answers and the log of the shop.
 *
 *   npm run chaos                              an hour
 *   npm run chaos -- --minutes 30 --seed 7     shorter; the seed decides about faults and pauses
 *   npm run chaos -- --log docs/chaos.md       also writes the report as Markdown
 *
 *   npm run chaos -- deploys                   ten rolling restarts in ten minutes while twenty guests buy: no request may fail
 *
 * F11 (a full disk) needs root on Linux, for a file system of its own, and is left out elsewhere. A fault that found nothing to hit does not
 * count. Exits with 1 when an invariant is violated, half of the purchases or fewer were paid, a kind of fault was tried three times and
 * hit nothing, a part of the shop has no process, or fewer than 200 faults hit something in half an hour.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { embeddedProvider } from '@purlin/server/selling/payments/embedded-provider.ts'
import { demoSecrets } from '@purlin/server/foundation/platform/environment.ts'
import pg from 'pg'
import { checkInvariants, type Listed, type Violation } from '../invariants.ts'
import { seeded } from '../support/random.ts'
import { startShop } from '../support/shop.ts'
import { keepBuying } from './buyers.ts'
import { auditViolations, readAuditTrail } from './append-only.ts'
import { faults, purgeAgain, type Target } from './faults.ts'
import { findProducts } from './index-faults.ts'
import { mailFaults, mailViolations } from './mail-faults.ts'
import { startMailServer } from './mail-server.ts'
import { count, judgeHealth, judgeSearch, notReady, shortcomings, type Tries } from './judge-chaos.ts'
import { partsOf, type Part } from './parts.ts'
import { poisonViolations } from './poison.ts'
import { watchPrices } from './privacy-watch.ts'
import { healthAfter, missingParts, openHandles, processViolations } from './process-health.ts'
import { report } from './report.ts'
import { mountSmallDisk } from './small-disk.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    buyers: { type: 'string' },
    deploys: { type: 'string', default: '10' },
    products: { type: 'string', default: '300' },
    log: { type: 'string' },
  },
})
const products = Number(values.products)
if (positionals.includes('deploys')) {
  const { runDeploys } = await import('./deploys.ts')
  const [minutes, buyers, deploys] = [Number(values.minutes ?? 10), Number(values.buyers ?? 20), Number(values.deploys)]
  process.exit((await runDeploys({ minutes, buyers, products, deploys, log: values.log })) ? 0 : 1)
}

const minutes = Number(values.minutes ?? 60)
const buyers = Number(values.buyers ?? 4)
const random = seeded(Number(values.seed))
process.stdout.write(`Seed ${values.seed}; ${minutes} minutes, ${buyers} buyers.\n`)
const disk = mountSmallDisk(3000)
if (!disk) process.stdout.write('No file system of its own can be mounted here: F11 is left out.\n')
// Guests ask as programs do, with documents of their own: they have a process of their own, unless DOCUMENTS_PROCESS says otherwise.
process.env['DOCUMENTS_PROCESS'] ??= 'on'
const hasDocuments = process.env['DOCUMENTS_PROCESS'] === 'on' && process.env['PUBLIC_API'] !== 'off'
const parts: readonly Part[] = ['app', 'worker', 'services', ...(hasDocuments ? (['documents'] as const) : [])]
// Mails go to a server of this run, and sellers of the demo ship, so that mail and carrier take part.
const mailServer = await startMailServer()
process.env['SMTP_URL'] = mailServer.url
process.env['DEMO_SPEED'] ??= '1440'
const possible = [...faults, ...mailFaults(mailServer)].filter(
  ({ ids, part }) => (disk || ids !== 'F11') && (part === undefined || parts.includes(part)),
)
const clocks = mkdtempSync(join(tmpdir(), 'clocks-'))
process.env['CLOCK_DIR'] = clocks
process.env['NODE_OPTIONS'] =
  `${process.env['NODE_OPTIONS'] ?? ''} ` +
  ['skewed-clock.mjs', 'sick-services.mjs', 'troubled-process.mjs']
    .map((file) => `--import=${pathToFileURL(join(import.meta.dirname, file)).href}`)
    .join(' ')

const logFile = join(clocks, 'shop.log')
const shop = await startShop({ products, quiet: true, logFile, ...(disk && { dataDir: disk.folder }) })
const begin = new Date()
const end = begin.getTime() + minutes * 60_000
const target: Target = { shop, port: Number(new URL(shop.origin).port), random, clocks, disk, stopped: new Set(), noted: [] }
const pool = new pg.Pool({ connectionString: shop.databaseUrl(), max: 2 })
pool.on('error', () => undefined)
const find = (part: Part) => partsOf(target, part)
const injected = new Map<string, Tries>()
let violations: Violation[] = []
try {
  const audit = await readAuditTrail(pool)
  const found = await findProducts(target.port)
  const unready = notReady(await missingParts(find, parts, 30_000), found)
  if (unready.length > 0) throw new Error(`The run cannot begin: ${unready.join('; ')}`)
  const handles = Math.max(0, ...openHandles(find('app')))
  const watching = watchPrices(shop.origin, () => Date.now() > end)
  const buying = keepBuying({ port: target.port, buyers, pool, until: () => Date.now() > end, daysLate: true })
  while (Date.now() < end) {
    await sleep(300 + random() * 3200)
    const fault = possible[Math.floor(random() * possible.length)]
    if (!fault) continue
    count(injected, `${fault.ids}: ${fault.name}`, await fault.inject(target))
  }
  const purchases = await buying
  await withPatience(() => pool.query(purgeAgain))
  const poison = await poisonViolations((work) => withPatience(() => work(pool)), pool)
  const { netPrices, violations: leaks } = await watching
  const settled = await settledViolations(purchases.placed)
  const mails = await withPatience(() => mailViolations(pool, begin, mailServer))
  violations = [
    ...poison.violations,
    ...target.noted,
    ...settled,
    ...mails.violations,
    ...(await searchViolations(found)),
    ...purchases.violations,
    ...leaks,
    ...(netPrices > 0 ? [] : [{ id: 'I7' as const, what: 'no page with a price for professionals was read' }]),
    ...(await withPatience(() => auditViolations(pool, audit))),
    ...judgeHealth(await healthAfter(shop.origin, find, parts, handles)),
    ...processViolations(logFile, target.stopped),
  ]
  const said = report({
    seed: values.seed,
    minutes,
    injected,
    purchases,
    violations,
    parked: poison.parked,
    netPrices,
    mails,
  })
  process.stdout.write(said)
  if (values.log !== undefined) writeFileSync(values.log, said)
  process.exitCode = violations.length === 0 && shortcomings({ minutes, injected, purchases }).length === 0 ? 0 : 1
} finally {
  await pool.end()
  await shop.stop()
  mailServer.close()
  rmSync(clocks, { recursive: true })
  disk?.remove()
}

/** Violations that remain two minutes after the last fault; returns early once there are none. */
async function settledViolations(acknowledged: readonly string[]): Promise<Violation[]> {
  const provider = embeddedProvider({
    url: `http://localhost:${target.port + 1}`,
    secret: demoSecrets.PAYMENT_SECRET,
    webhookSecret: demoSecrets.PAYMENT_WEBHOOK_SECRET,
  })
  const listed = async (): Promise<Listed[]> => {
    const all: Listed[] = []
    for (let page = await provider.list({ since: new Date(0) }, {}); page.length > 0;) {
      all.push(...page)
      page = await provider.list({ since: new Date(0), ...(all.at(-1) && { after: all.at(-1)?.reference }) }, {})
    }
    return all
  }
  const look = async () => checkInvariants(pool, { acknowledged, provider: { name: 'embedded', payments: await listed() } })
  let found = await withPatience(look)
  for (const until = Date.now() + 120_000; found.length > 0 && Date.now() < until; found = await withPatience(look)) await sleep(2000)
  return found
}

/** F17: the search finds again what it found before its index was damaged, or put back. */
async function searchViolations(before: readonly number[]): Promise<Violation[]> {
  let now: number[] = []
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(1000)) {
    now = await withPatience(() => findProducts(target.port))
    if (judgeSearch(before, now).length === 0) return []
  }
  return judgeSearch(before, now)
}

async function withPatience<Value>(work: () => Promise<Value>): Promise<Value> {
  for (const until = Date.now() + 30_000; ; await sleep(500)) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}
