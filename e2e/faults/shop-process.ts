import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A shop in its own processes on the test's database, whose processes can be killed. */
export interface ShopProcess {
  port: number
  /** Kills the processes of a kind with -9; the supervisor restarts them. Returns how many there were. */
  kill(kind: 'worker' | 'app' | 'services', howMany?: number): number
  /** Ids of the processes of a kind. */
  pidsOf(kind: 'worker' | 'app' | 'services'): number[]
  stop(): Promise<void>
}

/** `environment`: settings besides those of this process. */
export async function startShopProcess(
  databaseUrl: string,
  { products = 120, environment = {} }: { products?: number; environment?: Record<string, string> } = {},
): Promise<ShopProcess> {
  const root = join(import.meta.dirname, '../..')
  const dataDir = mkdtempSync(join(tmpdir(), 'shop-faults-'))
  // As root the database runs as another user: if it may enter this folder, its data stays here and is removed with it.
  chmodSync(dataDir, 0o755)
  const port = await freePair()
  const child = spawn(process.execPath, [join(root, 'start.ts'), '--products', String(products)], {
    cwd: root,
    env: {
      ...process.env,
      NODE_TEST_CONTEXT: undefined,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'error',
      DEMO_SPEED: '0',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
    rmSync(dataDir, { recursive: true, force: true })
  }
  for (const end = Date.now() + 120_000; ; await sleep(200)) {
    if (child.exitCode !== null || Date.now() > end) {
      await stop()
      throw new Error('The shop did not start')
    }
    if (
      await fetch(`http://localhost:${port}/health/ready`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      break
  }
  return {
    port,
    kill: (kind, howMany = 1) => {
      const found = partsOf(child, kind).slice(0, howMany)
      for (const pid of found) process.kill(pid, 'SIGKILL')
      return found.length
    },
    pidsOf: (kind) => partsOf(child, kind),
    stop,
  }
}

function partsOf(child: ChildProcess, kind: string): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(child.pid)], { encoding: 'utf8' })
  return list
    .split('\n')
    .filter((line) => line.includes(`start/${kind}.ts`))
    .map((line) => Number.parseInt(line, 10))
}

/** Two adjacent free ports below the ephemeral range: the payment provider uses the second. */
async function freePair(): Promise<number> {
  const isFree = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, () => server.close(() => resolve(true)))
    })
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 18_000)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

/** Called for each request, and for each that ended without an answer or with a failure of the shop. */
interface Watch {
  /** How often a request is sent at most. */
  tries?: number
  onRequest?: () => void
  onFailure?: (what: string) => void
}

/** A guest who uses the published API, and retries when there is no response. */
export interface Guest {
  /** With a hash, the text is one of the shop’s own documents. */
  ask(query: string, variables?: object, hash?: string): Promise<Record<string, unknown>>
}

export function newGuest(port: number, watch: Watch = {}): Guest {
  let cookie = ''
  const once = (body: string): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const call = request(
        {
          host: 'localhost',
          port,
          method: 'POST',
          path: '/graphql',
          // As a proxy does towards a shop that is being replaced: it cannot repeat an order on a connection that has just been closed.
          agent: watch.onFailure ? false : undefined,
          timeout: 8000,
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (part: string) => (text += part))
          answer.on('error', reject)
          answer.on('end', () => {
            const set = answer.headers['set-cookie']?.[0]?.split(';')[0]
            if (set !== undefined) cookie = set
            // A failure may come without JSON: whoever counts needs its status.
            const { data, errors } = (text.startsWith('{') ? JSON.parse(text) : {}) as { data?: Record<string, unknown>; errors?: unknown }
            if (answer.statusCode === 200 && data && !errors) resolve(data)
            else reject(new Error(`${answer.statusCode}: ${text.slice(0, 300)}`))
          })
        },
      )
      call.on('timeout', () => call.destroy(new Error('timeout')))
      call.on('error', reject)
      call.end(body)
    })
  return {
    ask: async (query, variables = {}, hash) => {
      const own = hash !== undefined && { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } }
      const body = JSON.stringify({ query, variables, ...own })
      for (let attempt = 1; ; attempt++) {
        try {
          watch.onRequest?.()
          return await once(body)
        } catch (error) {
          watch.onFailure?.(error instanceof Error ? error.message : String(error))
          if (attempt >= (watch.tries ?? 40)) throw error
          await sleep(Math.min(1000, 25 * attempt) * (0.5 + Math.random()))
        }
      }
    },
  }
}
