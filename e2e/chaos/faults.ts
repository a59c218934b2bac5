import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Random } from '../support/random.ts'
import type { Shop } from '../support/shop.ts'
import type { Violation } from '../invariants.ts'
import { copyIndex, damageIndex, putBackIndex } from './index-faults.ts'
import { partsOf, postgres, type Part } from './parts.ts'
import type { SmallDisk } from './small-disk.ts'

export interface Target {
  shop: Shop
  port: number
  random: Random
  /** Holds the shift of each process's clock, in a file named after its id, and what else `troubled-process.mjs` obeys. */
  clocks: string
  /** Ids of the processes that were told to stop. */
  stopped: Set<number>
  /** Violations that a fault saw itself. */
  noted: Violation[]
  /** Where the shop keeps its data, if it could be given a disk of its own. */
  disk: SmallDisk | null
}

export interface Fault {
  /** Ids in docs/reliability.md. */
  ids: string
  name: string
  /** The part of the shop that it needs, if the shop may run without. */
  part?: Part
  /** Resolves when the fault is over; false if there was nothing to hit. */
  inject(target: Target): Promise<boolean>
}

/** A process may have ended since it was listed; false if none was alive. */
function send(pids: readonly number[], signal: NodeJS.Signals): boolean {
  let isSent = false
  for (const pid of pids) {
    try {
      isSent = process.kill(pid, signal) || isSent
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
  return isSent
}

const twoHoursMs = 7_200_000
const pick = <Item>(random: Random, items: readonly Item[]): Item[] => items.slice(Math.floor(random() * items.length)).slice(0, 1)
const between = (random: Random, least: number, most: number) => least + random() * (most - least)

/** Gives a fault that lies in wait some seconds more until it is met. */
async function comesTrue(look: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 5000; Date.now() < end; await sleep(100)) if (await look()) return true
  return look()
}

async function freeze(pids: readonly number[], ms: number): Promise<boolean> {
  if (!send(pids, 'SIGSTOP')) return false
  try {
    await sleep(ms)
  } finally {
    send(pids, 'SIGCONT')
  }
  return true
}

const kill = (ids: string, name: string, part: Part, howMany: 'one' | 'all' = 'one'): Fault => ({
  ids,
  name,
  part,
  inject: async (target) => send(howMany === 'all' ? partsOf(target, part) : pick(target.random, partsOf(target, part)), 'SIGKILL'),
})
const freezePart = (ids: string, name: string, part: Part, most: number): Fault => ({
  ids,
  name,
  part,
  inject: (target) => freeze(pick(target.random, partsOf(target, part)), between(target.random, 500, most)),
})

/** A web process, the worker or the one for documents does to itself what `troubled-process.mjs` knows; over when it has. */
const trouble = (name: string, kind: 'busy' | 'memory', amount: (random: Random) => readonly [text: string, ms: number]): Fault => ({
  ids: 'F18',
  name,
  inject: async (target) => {
    const [pid] = pick(target.random, [...partsOf(target, 'app'), ...partsOf(target, 'worker'), ...partsOf(target, 'documents')])
    if (pid === undefined) return false
    const file = join(target.clocks, `${pid}.${kind}`)
    const [text, ms] = amount(target.random)
    writeFileSync(file, text)
    for (const end = Date.now() + 5000; existsSync(file) && Date.now() < end;) await sleep(50)
    const isObeyed = !existsSync(file)
    rmSync(file, { force: true })
    if (isObeyed) await sleep(ms)
    return isObeyed
  },
})

const searchDir = ({ shop }: Target) => join(shop.dataDir, 'search')
/** Its writer finds what is wrong with the index when it starts, and so does a reader. Hit if the harm was done. */
const withIndex = (name: string, harm: (target: Target) => boolean): Fault => ({
  ids: 'F17',
  name,
  inject: async (target) => {
    send(partsOf(target, 'worker'), 'SIGKILL')
    let isHarmed = false
    try {
      isHarmed = harm(target)
    } catch {
      // The writer that has just started moved on meanwhile.
    }
    send(pick(target.random, partsOf(target, 'app')), 'SIGKILL')
    await sleep(1000)
    return isHarmed
  },
})
/** Where the copy of the index that is put back lies. */
const indexCopy = ({ clocks }: Target) => join(clocks, 'old-index')

/** Purges of pages get lost: a row of theirs is never written. */
const losePurges = `create or replace function platform.lose_purge() returns trigger language plpgsql as 'begin return null; end';
  create or replace trigger lose_purge before insert on platform.purge_log for each row execute function platform.lose_purge()`

/** Also for a database that was lost while purges were. */
export const purgeAgain = 'drop trigger if exists lose_purge on platform.purge_log'

/** Ids of purges so far: a purge that is lost has taken one. */
const purgeIds = `select coalesce(pg_sequence_last_value(pg_get_serial_sequence('platform.purge_log', 'id')::regclass), 0)::int as n`

/** Buyers alone cause next to no purge: a product is said to have changed. */
const changeProduct = `insert into platform.outbox (id, type, aggregate, payload)
  select gen_random_uuid(), 'product.changed', 'product:' || id, jsonb_build_object('productId', id::text)
  from catalogue.product order by random() limit 1`

/** Sends a request byte by byte, without ever ending it. False if there was nobody to connect to. */
export async function drip(port: number, ms: number, pauseMs = 100): Promise<boolean> {
  let isConnected = false
  const socket = connect(port, '127.0.0.1', () => (isConnected = true)).on('error', () => undefined)
  const bytes = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{"query":"`
  for (let at = 0, end = Date.now() + ms; Date.now() < end && !socket.destroyed; at++) {
    socket.write(bytes[at] ?? 'x')
    await sleep(pauseMs)
  }
  socket.destroy()
  return isConnected
}

function read(port: number, path: string): Promise<number> {
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, path, timeout: 10_000, headers: { host: `gb.localhost:${port}` } }, (answer) =>
      answer
        .resume()
        .on('end', () => resolve(answer.statusCode ?? 0))
        .on('error', () => resolve(0)),
    )
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(0))
    call.end()
  })
}

/** Whether ten pages in a row are read within a second each, at the latest after ten seconds: nothing must keep a crowd's damage alive. */
async function recovers(port: number): Promise<boolean> {
  let inRow = 0
  for (const end = Date.now() + 10_000; inRow < 10 && Date.now() < end;) {
    const startedAt = Date.now()
    const status = await read(port, crowdPaths[inRow % crowdPaths.length] ?? '/')
    inRow = status === 200 && Date.now() - startedAt < 1000 ? inRow + 1 : 0
    if (inRow === 0) await sleep(100)
  }
  return inRow === 10
}

const crowdPaths = ['/', '/brands', '/great-deals', '/search/drill', '/search/paint', '/cart', '/bs']

/** Hit if a call met the illness: `sick-services.mjs` leaves a file then. */
const sick = (illness: '500' | 'garbage' | 'slow' | 'lost', name: string): Fault => ({
  ids: 'F8 F19',
  name,
  inject: async ({ clocks, random }) => {
    const [file, met] = [join(clocks, 'services'), join(clocks, 'services.met')]
    rmSync(met, { force: true })
    writeFileSync(file, illness)
    await sleep(between(random, 1000, 6000))
    const isHit = await comesTrue(() => existsSync(met))
    rmSync(file)
    return isHit
  },
})

/** False if the database was not in a state to be troubled. */
async function withClients({ shop }: Target, howMany: number, work: (clients: pg.Client[]) => Promise<boolean>): Promise<boolean> {
  const clients = Array.from(
    { length: howMany },
    () => new pg.Client({ connectionString: shop.databaseUrl(), connectionTimeoutMillis: 2000 }),
  )
  for (const client of clients) client.on('error', () => undefined)
  try {
    await Promise.all(clients.map((client) => client.connect()))
    return await work(clients)
  } catch {
    return false
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}
const withClient = (target: Target, work: (client: pg.Client) => Promise<boolean>) =>
  withClients(target, 1, async ([client]) => client !== undefined && work(client))

export const faults: readonly Fault[] = [
  kill('F1 F17', 'one web process killed, with its page cache', 'app'),
  kill('F1 F17', 'all web processes killed at once', 'app', 'all'),
  kill('F1', 'the process for documents of programs killed', 'documents', 'all'),
  freezePart('F18', 'the process for documents of programs stands still', 'documents', 4000),
  kill('F2', 'the worker killed', 'worker', 'all'),
  kill('F8 F19', 'payment, mail, identity and carrier services killed', 'services', 'all'),
  freezePart('F18', 'a web process stands still', 'app', 4000),
  trouble('the event loop of a process is blocked by work', 'busy', (random) => [String(Math.round(between(random, 1000, 3000))), 2000]),
  trouble('memory of a process is short', 'memory', (random) => {
    const ms = Math.round(between(random, 1000, 4000))
    return [`${Math.round(between(random, 50, 150))} ${ms}`, ms]
  }),
  withIndex('a file of the search index is damaged or lost', (target) => damageIndex(searchDir(target), target.random) !== null),
  withIndex('the search index is again what it was earlier', (target) => {
    const isPutBack = putBackIndex(searchDir(target), indexCopy(target))
    rmSync(indexCopy(target), { recursive: true, force: true })
    copyIndex(searchDir(target), indexCopy(target))
    return isPutBack
  }),
  {
    ids: 'F17',
    name: 'pages in the cache stay stale: nothing is purged',
    inject: (target) =>
      withClient(target, async (client) => {
        const taken = async () => (await client.query<{ n: number }>(purgeIds)).rows[0]?.n ?? 0
        await client.query(losePurges)
        const before = await taken()
        await client.query(changeProduct)
        await sleep(between(target.random, 2000, 6000))
        const isHit = await comesTrue(async () => (await taken()) > before)
        await client.query(purgeAgain)
        return isHit
      }),
  },
  freezePart('F2', 'the worker stands still', 'worker', 8000),
  freezePart('F8 F19', 'the services stand still', 'services', 6000),
  sick('500', 'the services answer 500'),
  sick('garbage', 'the services answer what nobody can read'),
  sick('slow', 'the services answer after seven seconds'),
  sick('lost', 'the services do what they are asked and their answers get lost'),
  { ids: 'F4', name: 'the database stands still', inject: (target) => freeze(postgres(target).all, between(target.random, 500, 5000)) },
  {
    ids: 'F3',
    name: 'one connection’s database process killed: the database recovers from its log',
    inject: async (target) => send(pick(target.random, postgres(target).serving), 'SIGKILL'),
  },
  {
    ids: 'F3',
    name: 'all connections to the database terminated',
    inject: (target) =>
      withClient(target, async (client) => {
        const { rows } = await client.query<{ ended: boolean }>(
          'select pg_terminate_backend(pid) as ended from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        return rows.some(({ ended }) => ended)
      }),
  },
  {
    ids: 'F5',
    name: 'orders and offers locked by a foreign transaction',
    inject: (target) =>
      withClient(target, async (client) => {
        await client.query(`begin; set local lock_timeout = '2s'; lock table orders.customer_order, catalogue.offer in exclusive mode`)
        await sleep(between(target.random, 300, 2500))
        return true
      }),
  },
  {
    ids: 'F5',
    name: 'most connections of the database taken by others',
    inject: (target) => withClients(target, 40, () => sleep(between(target.random, 500, 3000), true)),
  },
  {
    ids: 'F11',
    name: 'the disk of the database, the index and the files is full',
    inject: async ({ disk, random }) => {
      await disk?.fillFor(between(random, 500, 4000))
      return disk !== null
    },
  },
  {
    ids: 'F12',
    name: 'the clock of a web process or the worker is two hours off',
    inject: async (target) => {
      const [pid] = pick(target.random, [...partsOf(target, 'app'), ...partsOf(target, 'worker')])
      if (pid === undefined) return false
      const [file, shifted] = [join(target.clocks, String(pid)), join(target.clocks, `${pid}.shifted`)]
      rmSync(shifted, { force: true })
      writeFileSync(file, String(target.random() < 0.5 ? -twoHoursMs : twoHoursMs))
      await sleep(between(target.random, 2000, 6000))
      rmSync(file)
      return existsSync(shifted)
    },
  },
  {
    ids: 'F13',
    name: 'sixty clients send a byte at a time',
    inject: async ({ port, random }) => {
      const ms = between(random, 2000, 5000)
      const held = await Promise.all(Array.from({ length: 60 }, () => drip(port, ms)))
      return held.includes(true)
    },
  },
  {
    ids: 'F14',
    name: 'web processes replaced one after the other',
    inject: async (target) => {
      let isHit = false
      for (const pid of partsOf(target, 'app')) {
        target.stopped.add(pid)
        isHit = send([pid], 'SIGTERM') || isHit
        await sleep(2500)
      }
      return isHit
    },
  },
  {
    ids: 'F21',
    name: 'an event nobody can read among the others',
    inject: (target) =>
      withClient(target, async (client) => {
        const { rowCount } = await client.query(
          `insert into platform.outbox (id, type, aggregate, payload)
          values (gen_random_uuid(), 'order.paid', 'chaos:' || gen_random_uuid(), '{"customerOrderId": {"not": "an id"}}')`,
        )
        return rowCount === 1
      }),
  },
  {
    ids: 'F22',
    name: 'three hundred requests at the same moment',
    inject: async ({ port, noted }) => {
      const wasWell = await recovers(port)
      const statuses = await Promise.all(
        Array.from({ length: 300 }, (_, index) => read(port, crowdPaths[index % crowdPaths.length] ?? '/')),
      )
      if (wasWell && !(await recovers(port)))
        noted.push({ id: 'I9', what: 'pages were slow or refused for ten seconds after a crowd had left' })
      return statuses.some((status) => status !== 0)
    },
  },
]
