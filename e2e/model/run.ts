/**
 * What follows an order, played at random: `npm run model -- --sequences 100000 --seed 1` plays the rules alone, with `--postgres`
 * 2,000 sequences by the operations against Postgres while connections are cut, with `--interleavings` every order of the
 * statements of two actors. A violation names its seed, which plays the same sequence again.
 */
import { parseArgs } from 'node:util'
import { checkAfterSale, checkDocuments } from './after-sale-checks.ts'
import { encounters, playEncounter } from './interleavings.ts'
import { playOnPostgres } from './play-on-postgres.ts'
import { playSequence } from './rules.ts'
import { openModelShop } from './shop-on-postgres.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    sequences: { type: 'string' },
    seed: { type: 'string', default: '1' },
    postgres: { type: 'boolean', default: false },
    interleavings: { type: 'boolean', default: false },
    stride: { type: 'string', default: '1' },
  },
})
const first = Number(values.seed)
const started = performance.now()
const seconds = () => Math.round((performance.now() - started) / 1000)
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Sequences after which the database is checked. */
const batch = 50
/** Further ones are of the same kind. */
const enough = 10

async function onPostgres(count: number): Promise<number> {
  const shop = await openModelShop()
  let [allowed, refused, cuts, violations] = [0, 0, 0, 0]
  const traces = new Map<string, string>()
  const report = (what: string) => {
    violations += 1
    say(what)
  }
  for (let seed = first; seed < first + count && violations < enough; seed++) {
    try {
      const played = await playOnPostgres(shop, seed)
      allowed += played.allowed
      refused += played.refused
      cuts += played.cuts
      traces.set(played.sellerOrderId, `Sequence ${seed}:\n${played.trace.join('\n')}`)
    } catch (error) {
      report(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    if ((seed - first + 1) % batch > 0 && seed < first + count - 1) continue
    const provider = { name: 'embedded', payments: shop.payments() }
    const { pool } = shop.database
    for (const { id, what } of [...(await checkAfterSale(pool, { provider })), ...(await checkDocuments(pool, [...traces.keys()]))])
      report(`${id} ${what}\n${[...traces].find(([part]) => what.includes(part.slice(0, -2)))?.[1] ?? ''}`)
    traces.clear()
    say(`${seed - first + 1} sequences, ${allowed} acts allowed, ${refused} refused, ${cuts} connections cut, ${seconds()} s`)
  }
  await shop.close()
  say(violations === 0 ? 'no violation' : `${violations} violations`)
  return violations
}

async function interleavings(stride: number): Promise<number> {
  const shop = await openModelShop()
  let violations = 0
  for (const encounter of encounters)
    try {
      say(`${encounter.name}: ${await playEncounter(shop, encounter, stride)} orders of statements, ${seconds()} s`)
    } catch (error) {
      violations += 1
      say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  await shop.close()
  return violations
}

function onRules(count: number): number {
  let moves = 0
  for (let seed = first; seed < first + count; seed++) {
    moves += playSequence(seed)
    if ((seed - first + 1) % 10_000 === 0) say(`${seed - first + 1} sequences, ${moves} moves`)
  }
  say(`${count} sequences from seed ${first}: ${moves} moves that were allowed, no violation, ${seconds()} s`)
  return 0
}

const violations = values.postgres
  ? await onPostgres(Number(values.sequences ?? 2_000))
  : values.interleavings
    ? await interleavings(Number(values.stride))
    : onRules(Number(values.sequences ?? 100_000))
process.exitCode = violations > 0 ? 1 : 0
