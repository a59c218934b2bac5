/**
 * Performance, measured as ratios within one run.
 *
 *   npm run bench                  pages, calls and orders against a shop of its own
 *   npm run bench -- pages         one part: pages | page-cpu | browser | orders | quick-order | company | lists | report | search | sign-ins |
 *                                  sessions | overload | collector | measured | payouts
 *   npm run -s bench -- --json     one JSON line per figure and nothing else (without -s npm prints the command first)
 *   npm run bench -- overload --minutes 20         instead of peaks: 500 connections for this long, and the memory each minute
 *   npm run bench -- lists --orders 1000000       a customer's 5,000 orders, a seller's million: last page of the first
 *   npm run bench -- payouts --orders 100000      a payout run, stopped half-way and resumed: its pace and its memory
 *   npm run bench -- compare --against <folder>    this checkout and another one, in turn: medians of --rounds (5)
 *                                  of --seconds (8) each; orders only with --no-pages
 *   npm run bench -- browser --rounds 3            medians of so many visits (5), about 35 s each
 *   npm run bench -- --url http://localhost:3000   a running shop, with its data folder in DATA_DIR or --database
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startShop } from '@purlin/e2e/support/shop.ts'
import { printJson, printTable, type Figure } from './src/figures.ts'
import { settled } from './src/settled.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    url: { type: 'string' },
    database: { type: 'string' },
    products: { type: 'string', default: '5000' },
    against: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    'no-pages': { type: 'boolean', default: false },
    minutes: { type: 'string' },
    orders: { type: 'string' },
  },
})
const parts = positionals.length > 0 ? positionals : ['pages', 'orders']

const figures: Figure[] = []
if (parts.includes('compare')) {
  if (values.against === undefined) throw new Error('compare needs --against <folder>: another checkout, its packages installed')
  const { compare } = await import('./src/compare.ts')
  await compare({
    against: resolve(values.against),
    products: Number(values.products),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    withPages: !values['no-pages'],
  })
  process.exit(0)
}
if (parts.includes('search')) {
  const { run } = await import('./search/run.ts')
  figures.push(...(await run()))
}
if (parts.includes('lists')) figures.push(...(await (await import('./src/lists.ts')).benchLists(Number(values.orders ?? 1_000_000))))
if (parts.includes('payouts')) figures.push(...(await (await import('./src/payouts.ts')).benchPayouts(Number(values.orders ?? 100_000))))
if (parts.includes('sign-ins')) figures.push(...(await (await import('./src/sign-ins.ts')).benchSignIns()))
// A page is rendered for each request, and the CPU time is that of rendering alone.
if (parts.includes('page-cpu')) process.env['PAGE_CACHE_MB'] = '0'
if (
  parts.some((part) =>
    [
      'pages',
      'page-cpu',
      'browser',
      'orders',
      'quick-order',
      'company',
      'report',
      'sessions',
      'overload',
      'collector',
      'measured',
    ].includes(part),
  )
) {
  const shop = values.url === undefined ? await startShop({ products: Number(values.products), quiet: values.json }) : null
  const origin = shop?.origin ?? values.url!
  try {
    if (shop) await settled(shop.databaseUrl())
    if (parts.includes('pages')) figures.push(...(await (await import('./src/pages.ts')).benchPages(origin)))
    if (parts.includes('page-cpu'))
      figures.push(...(await (await import('./src/page-cpu.ts')).benchPageCpu(origin, shop?.pid ?? running().pid)))
    if (parts.includes('browser')) figures.push(...(await (await import('./src/browser.ts')).benchBrowser(origin, Number(values.rounds))))
    if (parts.includes('measured')) figures.push(...(await (await import('./src/measured.ts')).benchMeasured(origin)))
    if (parts.includes('quick-order')) figures.push(...(await (await import('./src/quick-order.ts')).benchQuickOrder(origin)))
    const database = () => values.database ?? running(shop?.dataDir).databaseUrl
    if (parts.includes('company')) {
      const { benchCompany } = await import('./src/company.ts')
      figures.push(...(await benchCompany(origin, database(), shop?.pid ?? running().pid)))
    }
    if (parts.includes('orders')) figures.push(...(await (await import('./src/orders.ts')).benchOrders(origin, database())))
    if (parts.includes('sessions')) figures.push(...(await (await import('./src/sessions.ts')).benchSessions(origin, database())))
    if (parts.includes('collector')) {
      const { benchCollector } = await import('./src/collector.ts')
      figures.push(...(await benchCollector({ origin, pid: shop?.pid ?? running().pid, databaseUrl: database() })))
    }
    if (parts.includes('overload')) {
      const loaded = { origin, pid: shop?.pid ?? running().pid, databaseUrl: database() }
      if (values.minutes === undefined) {
        const { benchOverload } = await import('./src/overload.ts')
        figures.push(...(await benchOverload({ ...loaded, seconds: Number(values.seconds) })))
      } else {
        const { benchLongLoad } = await import('./src/long-load.ts')
        figures.push(...(await benchLongLoad({ ...loaded, minutes: Number(values.minutes) })))
      }
    }
    if (parts.includes('report')) figures.push(...(await (await import('./src/report.ts')).benchReport(origin, database())))
  } finally {
    await shop?.stop()
  }
}
if (values.json) printJson(figures)
else printTable(figures)
process.exitCode = figures.every(({ ok }) => ok) ? 0 : 1

/** The running shop's address file in its data folder names its first process and its database. */
function running(dataDir = process.env.DATA_DIR || '.data'): { pid: number; databaseUrl: string } {
  return JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as { pid: number; databaseUrl: string }
}
