/**
 * npm run attack: attacks on a shop of its own, which other visitors use meanwhile; it listens on loopback and believes the addresses
 * of a proxy there.
 *
 *   npm run attack                              an hour: each attack once, then the quick ones at random
 *   npm run attack -- --minutes 10 --seed 7     shorter; the seed decides about order and contents
 *   npm run attack -- --log docs/attacks-of-an-hour.md     also writes the report as Markdown
 *   npm run attack -- --only V-01,F13           each attack once whose ids contain one of these, and no other
 *   npm run attack -- --only V-01 --rounds 2    fewer rounds of windows in which other users are timed; five otherwise
 *
 * Other users are timed in windows with the attack, beside a bare server that gets the same, and without either, by turns. Hoarding takes five minutes and is left out of runs
 * shorter than eight. Exits with 1 if a rule was broken, a
 * process of the shop ended, or more than one page in a thousand failed for other visitors.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { seeded } from '../support/random.ts'
import { startShop } from '../support/shop.ts'
import { quickAttacks, type RunnableAttack } from './attacks.ts'
import { send, type Target } from './client.ts'
import { endedProcesses, processesOf } from './judge.ts'
import { longAttacks } from './long-attacks.ts'
import { unreadAnswers } from './unread-answers.ts'
import { report, type Round } from './report.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    products: { type: 'string', default: '1500' },
    log: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
  },
})
const minutes = Number(values.minutes)
const random = seeded(Number(values.seed))
process.stdout.write(`Seed ${values.seed}; ${minutes} minutes.\n`)
process.env['TRUST_PROXY'] = '127.0.0.1,::1'

process.env['DOCUMENTS_PROCESS'] ??= 'on'
const shop = await startShop({ products: Number(values.products), quiet: true })
const pool = new pg.Pool({ connectionString: shop.databaseUrl(), max: 4 })
pool.on('error', () => undefined)
let addresses = 0
const target: Target = {
  port: Number(new URL(shop.origin).port),
  pool,
  random,
  rounds: Number(values.rounds),
  newAddress: () => `198.${18 + ((addresses >> 16) & 1)}.${(addresses >> 8) & 255}.${addresses++ & 255}`,
  webMemoryMb: () => (processesOf(shop).get('app') ?? []).map(residentMb),
}
const end = Date.now() + minutes * 60_000
const rounds: Round[] = []
const attackWith = async (attack: RunnableAttack): Promise<void> => {
  const before = processesOf(shop)
  const tried = await attack.run(target).catch((error: unknown) => ({ tried: 'it could not be tried', broken: [String(error)] }))
  const result = { ...tried, broken: [...tried.broken, ...endedProcesses(before, processesOf(shop))] }
  rounds.push({ attack, result })
  process.stdout.write(`${result.broken.length === 0 ? 'held  ' : 'BROKEN'} ${attack.ids}: ${attack.name}. ${result.tried}\n`)
}

const only = values.only?.split(',')
const isChosen = ({ ids }: RunnableAttack) => only?.some((id) => ids.split(' ').includes(id)) ?? true

let over = false
const visiting = visit()
try {
  const hoards = isChosen(longAttacks.hoarding) && (minutes >= 8 || only !== undefined)
  const inBackground = hoards ? attackWith(longAttacks.hoarding) : Promise.resolve()
  for (const attack of [longAttacks.hostile, unreadAnswers, ...quickAttacks, longAttacks.forgedEvents])
    if (isChosen(attack)) await attackWith(attack)
  while (only === undefined && Date.now() < end) {
    const attack = quickAttacks[Math.floor(random() * quickAttacks.length)]
    if (attack) await attackWith(attack)
    await sleep(random() * 2000)
  }
  await inBackground
  over = true
  const visitors = await visiting
  const written = report({ seed: values.seed, minutes, rounds, visitors })
  process.stdout.write(written)
  if (values.log !== undefined) writeFileSync(values.log, written)
  const isHeld =
    rounds.length > 0 && rounds.every(({ result }) => result.broken.length === 0) && visitors.failed.length * 1000 <= visitors.pages
  process.exitCode = isHeld ? 0 : 1
} finally {
  over = true
  await pool.end()
  await shop.stop()
}

/** A process that is being replaced takes nothing. */
function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Other visitors, each from an address of their own, read pages until the attacks are over. */
async function visit(): Promise<{ pages: number; failed: string[] }> {
  const paths = ['/', '/brands', '/great-deals', '/search/drill', '/search/paint', '/cart', '/bs', '/our-advice']
  const failed: string[] = []
  let pages = 0
  for (; !over; await sleep(150)) {
    const path = paths[pages++ % paths.length] ?? '/'
    const { status, ms } = await send(target.port, { path, from: `192.0.2.${pages % 200}` })
    if (status !== 200) failed.push(`${path}: ${status} after ${ms.toFixed(0)} ms`)
  }
  return { pages, failed }
}
