import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Random } from '../support/random.ts'
import type { Shop } from '../support/shop.ts'
import type { Violation } from '../invariants.ts'
import { copyIndex, damageIndex, putBackIndex } from './index-faults.ts'
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
  /** Resolves when the fault is over. */
  inject(target: Target): Promise<void>
}

export type Part = 'app' | 'documents' | 'worker' | 'services'

export function partsOf({ shop }: { shop: Pick<Shop, 'pid'> }, part: Part): number[] {
  return children(shop.pid ?? 0).flatMap(({ pid, command }) => (command.includes(`start/${part}.ts`) ? [pid] : []))
}

function children(parent: number): { pid: number; command: string }[] {
  const list = execFileSync('ps', ['-o', 'pid=,ppid=,args=', '-e'], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  return list.split('\n').flatMap((line) => {
    const [, pid, ppid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent && command !== undefined ? [{ pid: Number(pid), command }] : []
  })
}

/** The process that listens for connections to the database, and those that serve one each. */
function postgres({ shop }: Target): { main: number; all: number[]; serving: number[] } {
  const main = Number(readFileSync(join(shop.dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
  const below = children(main)
  return {
    main,
    all: [main, ...below.map(({ pid }) => pid)],
    serving: below.flatMap(({ pid, command }) => (/postgres: \S+ \S+ (\S+\(\d+\)|\[local\])/.test(command) ? [pid] : [])),
  }
}

/** A process may have ended since it was listed. */
function send(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

const twoHoursMs = 7_200_000
const pick = <Item>(random: Random, items: readonly Item[]): Item[] => items.slice(Math.floor(random() * items.length)).slice(0, 1)
const between = (random: Random, least: number, most: number) => least + random() * (most - least)

async function freeze(pids: readonly number[], ms: number): Promise<void> {
  send(pids, 'SIGSTOP')
  try {
    await sleep(ms)
  } finally {
    send(pids, 'SIGCONT')
  }
}

const kill = (ids: string, name: string, part: Part, howMany: 'one' | 'all' = 'one'): Fault => ({
  ids,
  name,
  inject: async (target) => send(howMany === 'all' ? partsOf(target, part) : pick(target.random, partsOf(target, part)), 'SIGKILL'),
})
const freezePart = (ids: string, name: string, part: Part, most: number): Fault => ({
  ids,
  name,
  inject: (target) => freeze(pick(target.random, partsOf(target, part)), between(target.random, 500, most)),
})

/** A web process, the worker or the one for documents does to itself what `troubled-process.mjs` knows; over when it has. */
const trouble = (name: string, kind: 'busy' | 'memory', amount: (random: Random) => readonly [text: string, ms: number]): Fault => ({
  ids: 'F18',
  name,
  inject: async (target) => {
    const [pid] = pick(target.random, [...partsOf(target, 'app'), ...partsOf(target, 'worker'), ...partsOf(target, 'documents')])
    if (pid === undefined) return
    const file = join(target.clocks, `${pid}.${kind}`)
    const [text, ms] = amount(target.random)
    writeFileSync(file, text)
    for (const end = Date.now() + 5000; existsSync(file) && Date.now() < end;) await sleep(50)
    rmSync(file, { force: true })
    await sleep(ms)
  },
})

const searchDir = ({ shop }: Target) => join(shop.dataDir, 'search')
/** Its writer finds what is wrong with the index when it starts, and so does a reader. */
const withIndex = (name: string, harm: (target: Target) => void): Fault => ({
  ids: 'F17',
  name,
  inject: async (target) => {
    send(partsOf(target, 'worker'), 'SIGKILL')
    try {
      harm(target)
    } catch {
      // The writer that has just started moved on meanwhile.
    }
    send(pick(target.random, partsOf(target, 'app')), 'SIGKILL')
    await sleep(1000)
  },
})
/** Where the copy of the index that is put back lies. */
const indexCopy = ({ clocks }: Target) => join(clocks, 'old-index')

/** Purges of pages get lost: a row of theirs is never written. */
const losePurges = `create or replace function platform.lose_purge() returns trigger language plpgsql as 'begin return null; end';
  create or replace trigger lose_purge before insert on platform.purge_log for each row execute function platform.lose_purge()`

/** Also for a database that was lost while purges were. */
export const purgeAgain = 'drop trigger if exists lose_purge on platform.purge_log'

/** Sends a request byte by byte, without ever ending it. */
export async function drip(port: number, ms: number, pauseMs = 100): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const bytes = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{"query":"`
  for (let at = 0, end = Date.now() + ms; Date.now() < end && !socket.destroyed; at++) {
    socket.write(bytes[at] ?? 'x')
    await sleep(pauseMs)
  }
  socket.destroy()
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

const sick = (illness: '500' | 'garbage' | 'slow' | 'lost', name: string): Fault => ({
  ids: 'F8 F19',
  name,
  inject: async ({ clocks, random }) => {
    const file = join(clocks, 'services')
    writeFileSync(file, illness)
    await sleep(between(random, 1000, 6000))
    rmSync(file)
  },
})

async function withClients<Value>({ shop }: Target, howMany: number, work: (clients: pg.Client[]) => Promise<Value>): Promise<void> {
  const clients = Array.from(
    { length: howMany },
    () => new pg.Client({ connectionString: shop.databaseUrl(), connectionTimeoutMillis: 2000 }),
  )
  for (const client of clients) client.on('error', () => undefined)
  try {
    await Promise.all(clients.map((client) => client.connect()))
    await work(clients)
  } catch {
    // The database was not in a state to be troubled.
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()))
  }
}

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
  withIndex('a file of the search index is damaged or lost', (target) => void damageIndex(searchDir(target), target.random)),
  withIndex('the search index is again what it was earlier', (target) => {
    putBackIndex(searchDir(target), indexCopy(target))
    rmSync(indexCopy(target), { recursive: true, force: true })
    copyIndex(searchDir(target), indexCopy(target))
  }),
  {
    ids: 'F17',
    name: 'pages in the cache stay stale: nothing is purged',
    inject: (target) =>
      withClients(target, 1, async ([client]) => {
        await client?.query(losePurges)
        await sleep(between(target.random, 2000, 6000))
        await client?.query(purgeAgain)
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
      withClients(target, 1, ([client]) =>
        Promise.resolve(
          client?.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          ),
        ),
      ),
  },
  {
    ids: 'F5',
    name: 'orders and offers locked by a foreign transaction',
    inject: (target) =>
      withClients(target, 1, async ([client]) => {
        await client?.query(`begin; set local lock_timeout = '2s'; lock table orders.customer_order, catalogue.offer in exclusive mode`)
        await sleep(between(target.random, 300, 2500))
      }),
  },
  {
    ids: 'F5',
    name: 'most connections of the database taken by others',
    inject: (target) => withClients(target, 40, () => sleep(between(target.random, 500, 3000))),
  },
  {
    ids: 'F11',
    name: 'the disk of the database, the index and the files is full',
    inject: async ({ disk, random }) => disk?.fillFor(between(random, 500, 4000)),
  },
  {
    ids: 'F12',
    name: 'the clock of a web process or the worker is two hours off',
    inject: async (target) => {
      const [pid] = pick(target.random, [...partsOf(target, 'app'), ...partsOf(target, 'worker')])
      if (pid === undefined) return
      const file = join(target.clocks, String(pid))
      writeFileSync(file, String(target.random() < 0.5 ? -twoHoursMs : twoHoursMs))
      await sleep(between(target.random, 2000, 6000))
      rmSync(file)
    },
  },
  {
    ids: 'F13',
    name: 'sixty clients send a byte at a time',
    inject: async ({ port, random }) => {
      const ms = between(random, 2000, 5000)
      await Promise.all(Array.from({ length: 60 }, () => drip(port, ms)))
    },
  },
  {
    ids: 'F14',
    name: 'web processes replaced one after the other',
    inject: async (target) => {
      for (const pid of partsOf(target, 'app')) {
        target.stopped.add(pid)
        send([pid], 'SIGTERM')
        await sleep(2500)
      }
    },
  },
  {
    ids: 'F21',
    name: 'an event nobody can read among the others',
    inject: (target) =>
      withClients(target, 1, ([client]) =>
        Promise.resolve(
          client?.query(
            `insert into platform.outbox (id, type, aggregate, payload)
            values (gen_random_uuid(), 'order.paid', 'chaos:' || gen_random_uuid(), '{"customerOrderId": {"not": "an id"}}')`,
          ),
        ),
      ),
  },
  {
    ids: 'F22',
    name: 'three hundred requests at the same moment',
    inject: async ({ port, noted }) => {
      const wasWell = await recovers(port)
      await Promise.all(Array.from({ length: 300 }, (_, index) => read(port, crowdPaths[index % crowdPaths.length] ?? '/')))
      if (wasWell && !(await recovers(port)))
        noted.push({ id: 'I9', what: 'pages were slow or refused for ten seconds after a crowd had left' })
    },
  },
]
