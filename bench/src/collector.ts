import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type RequestOptions } from '@purlin/e2e/support/ask.ts'
import { moveAllBursts, rollUp } from '@purlin/server/people/insights/index.ts'
import { createPool, newId, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { bare } from './bare.ts'
import { figure, type Figure } from './figures.ts'
import { load } from './load.ts'
import { quantile } from './order-cost.ts'
import { webProcesses } from './web-processes.ts'

const eventsPerRequest = 10
const seconds = 5
const rounds = 5
const kills = 6
const senders = 8
/** Of many browsers that send at the same time, for the bare server as well. */
const connections = 64

interface Options {
  origin: string
  /** The shop's first process: web processes below it are killed. */
  pid: number | undefined
  databaseUrl: string
}

/**
 * The collector: its rate with ten events a request as a ratio to bare node:http, and what became of the acknowledged events
 * while web processes were killed: each is stored once, and the roll-ups equal a recount.
 */
export async function benchCollector({ origin, pid, databaseUrl }: Options): Promise<Figure[]> {
  const taken = await takenPerSecond(origin)
  const moved = await movedPerSecond(databaseUrl)
  const pool = createPool({ connectionString: databaseUrl, sizes: { single: 2 }, limits: false, name: 'purlin bench' })
  try {
    const survived = await sendWhileKilling(origin, pid, pool)
    return [
      figure('bare node:http hello', taken.hello, 'requests/s'),
      figure(`collector, ten events a request: of hello, median of ${rounds}`, taken.share, '%', '>= 15'),
      figure('collector: rate', taken.perSecond * eventsPerRequest, 'events/s'),
      figure('collector: refused with 503', taken.refused, '%'),
      figure('events of a burst: moved to where they are read', moved, 'events/s'),
      figure('collector: p99', taken.p99, 'ms'),
      figure('web processes killed meanwhile', survived.killed, 'processes'),
      figure('events acknowledged meanwhile', survived.acknowledged, 'events'),
      figure('batches sent again after a broken connection', survived.repeated, 'requests'),
      figure('acknowledged events that are lost', survived.lost, 'events', '<= 0'),
      figure('events that are stored twice', survived.doubled, 'events', '<= 0'),
      figure('roll-ups that differ from a recount', await wrongRollUps(databaseUrl, pool), 'rows', '<= 0'),
    ]
  } finally {
    await pool.end()
  }
}

interface Taken {
  /** Requests a second: of bare node:http, and of the collector. */
  hello: number
  perSecond: number
  /** Percent of hello. */
  share: number
  /** Percent of all. */
  refused: number
  p99: number
}

/** Medians of several rounds, each between two of bare node:http: the machine is not equally fast from one minute to the next. */
async function takenPerSecond(origin: string): Promise<Taken> {
  const seen: Taken[] = []
  let before = (await bare(undefined, connections)).perSecond
  for (let round = -1; round < rounds; round++) {
    // Enough that no batch is sent twice: a stored one costs less.
    const batches = Array.from({ length: Math.ceil(before * 0.4 * seconds) }, () => batch().request)
    const { perSecond, refused, requests, p99 } = await load(origin, batches, {
      seconds,
      warmSeconds: 0,
      isOnce: true,
      connections,
      mayRefuse: true,
    })
    if (requests + refused > batches.length) throw new Error('Batches were sent twice')
    const after = (await bare(undefined, connections)).perSecond
    const hello = (before + after) / 2
    before = after
    process.stderr.write(`collector ${perSecond.toFixed(0)} requests a second, bare ${hello.toFixed(0)}\n`)
    // The first only warms up.
    if (round >= 0) seen.push({ hello, perSecond, share: (100 * perSecond) / hello, refused: (100 * refused) / (requests + refused), p99 })
  }
  const median = (of: keyof Taken) =>
    quantile(
      seen.map((each) => each[of]),
      0.5,
    )
  return { hello: median('hello'), perSecond: median('perSecond'), share: median('share'), refused: median('refused'), p99: median('p99') }
}

/** How fast the shop itself moves what the load has left, once the load is over. */
async function movedPerSecond(databaseUrl: string): Promise<number> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { single: 1 }, name: 'purlin bench' })
  const left = async () =>
    Number(
      (
        await pool.query(
          `select coalesce(sum(json_array_length(sender -> 'events')), 0) as left from insights.event_burst, json_array_elements(senders) sender`,
        )
      ).rows[0].left,
    )
  try {
    const [before, startedAt] = [await left(), Date.now()]
    let now = before
    while (now > before / 10 && Date.now() < startedAt + 60_000) {
      await sleep(500)
      now = await left()
    }
    return (1000 * (before - now)) / (Date.now() - startedAt)
  } finally {
    await pool.end()
  }
}

/** As a browser with consent sends it, from a visitor of its own. */
function batch(): { ids: string[]; request: RequestOptions } {
  const ids = Array.from({ length: eventsPerRequest }, newId)
  const page = { name: 'product', type: 'product' }
  const events = ids.map((id, at) => ({
    id,
    name: 'page_view',
    page,
    data: { productId: 100_000 + at, statusCode: 200, isAuthenticated: false },
  }))
  const headers = {
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    'user-agent': 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 Chrome/140 Safari/537.36',
    cookie: `mm_consent=v1:statistics; mm_visitor_id=${crypto.randomUUID()}`,
  }
  return { ids, request: { method: 'POST', path: '/api/v1/events', headers, body: JSON.stringify({ events }) } }
}

interface Survived {
  killed: number
  acknowledged: number
  repeated: number
  lost: number
  doubled: number
}

async function sendWhileKilling(origin: string, pid: number | undefined, pool: Pool): Promise<Survived> {
  const acknowledged: string[] = []
  let repeated = 0
  let over = false
  const send = async () => {
    while (!over) {
      const { ids, request } = batch()
      for (let tries = 0; tries < 100; tries++) {
        const answer = await ask(origin, request).catch(() => null)
        if (answer?.status === 202) {
          acknowledged.push(...ids)
          break
        }
        repeated++
        await sleep(50)
      }
    }
  }
  const sending = Promise.all(Array.from({ length: senders }, send))
  let killed = 0
  for (let round = 0; round < kills; round++) {
    await sleep(1500)
    const [victim] = webProcesses(pid).toSorted((a, b) => a.id - b.id)
    if (!victim) continue
    process.kill(victim.id, 'SIGKILL')
    killed++
  }
  await sleep(1500)
  over = true
  await sending
  await moveAllBursts(pool.db)
  const { rows } = await pool.query<{ found: number; stored: number }>(
    `select count(distinct id)::int as found, count(*)::int as stored from insights.event where id = any($1)`,
    [acknowledged],
  )
  const { found = 0, stored = 0 } = rows[0] ?? {}
  return { killed, acknowledged: acknowledged.length, repeated, lost: acknowledged.length - found, doubled: stored - found }
}

/** Rows of the roll-ups of two days, counted with the time limits of the shop, that the events themselves contradict. */
async function wrongRollUps(databaseUrl: string, pool: Pool): Promise<number> {
  const limited = createPool({ connectionString: databaseUrl, sizes: { single: 1 }, name: 'purlin bench' })
  const yesterday = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000
  await rollUp(limited.db, new Date(yesterday)).finally(() => limited.end())
  const first = `to_timestamp(${yesterday / 1000})`
  const { rows } = await pool.query<{ wrong: number }>(
    `with recount as (
       select span, date_trunc(span, at, 'UTC') as start, market, mode, name, page_name, device, count(*) as events, count(distinct visitor_id) as visitors
       from insights.event, unnest('{hour,day}'::text[]) as span where at >= ${first} group by 1, 2, 3, 4, 5, 6, 7)
     select count(*)::int as wrong from recount
     full join (select * from insights.roll_up where start >= ${first}) as rolled using (span, start, market, mode, name, page_name, device)
     where recount.events is distinct from rolled.events or recount.visitors is distinct from rolled.visitors`,
  )
  return rows[0]?.wrong ?? 0
}
