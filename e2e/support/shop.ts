import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../scripts/free-ports.ts'
import { onItsOwn } from './ask.ts'
import { patient } from './patience.ts'

/** A private running shop, filled with the demo products, on free ports. */
export interface Shop {
  /** gb, b2c, by its address. */
  origin: string
  host: string
  dataDir: string
  /** Its first process, if it was started here. */
  pid?: number
  /** The shop's own database, embedded or external. */
  databaseUrl: () => string
  stop: () => Promise<void>
}

/** Opens the operators' API of shops started here, and of the one in SHOP_URL unless OPERATOR_API_KEY differs. */
const operatorKey = process.env['OPERATOR_API_KEY'] || 'journeys-operator'

/** A request of an operator's program; without a body it reads. */
export async function operate<Data>(origin: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Data> {
  const answer = await fetch(`${origin}/api/v1/operator/${path}`, {
    method,
    headers: { ...onItsOwn.headers, authorization: `Bearer ${operatorKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The operators' API answered ${answer.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Data
}

/** Sets or, without a body, deletes a search setting, as an operator's program would. */
export async function operateSearch(origin: string, path: string, body?: object): Promise<void> {
  await operate(origin, body ? 'PUT' : 'DELETE', `search/${path}`, body)
}

/** Starts everything as `npm start` does and waits until it is ready. */
export async function startShop(
  options: { products?: number; quiet?: boolean; root?: string; logFile?: string; dataDir?: string } = {},
): Promise<Shop> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'shop-'))
  mkdirSync(dataDir, { recursive: true })
  // As root the database runs as another user: if it may enter this folder, its data stays here and is removed with it.
  chmodSync(dataDir, 0o755)
  const port = await freePorts()
  const root = options.root ?? join(import.meta.dirname, '../..')
  const log = options.logFile === undefined ? undefined : openSync(options.logFile, 'a')
  const child = spawn(process.execPath, [join(root, 'start.ts'), '--products', String(options.products ?? 5_000)], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      LOG_LEVEL: log === undefined ? 'warn' : 'info',
      OPERATOR_API_KEY: operatorKey,
      // Orders move when a journey moves them.
      DEMO_SPEED: process.env['DEMO_SPEED'] ?? '0',
    },
    // The channel notifies the shop when we are gone, for whatever reason.
    stdio: ['ignore', log ?? (options.quiet ? 'ignore' : 'inherit'), log ?? 'inherit', 'ipc'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const origin = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await Promise.race([ready(origin), ended.then((code) => Promise.reject(new Error(`The shop ended with ${code}`)))])
  } catch (error) {
    await stop()
    throw error
  }
  return {
    origin,
    host: `localhost:${port}`,
    dataDir,
    ...(child.pid !== undefined && { pid: child.pid }),
    databaseUrl: () => databaseUrlIn(dataDir),
    stop,
  }
}

/** @throws when the shop's data folder is unknown */
function databaseUrlIn(dataDir: string): string {
  const { databaseUrl } = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as { databaseUrl: string }
  return databaseUrl
}

async function ready(origin: string): Promise<void> {
  for (const end = Date.now() + patient(240_000); Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const answer = await fetch(`${origin}/health/ready`).catch(() => null)
    if (answer?.ok) return
  }
  throw new Error('The shop did not become ready')
}

/** The shop shared by all journeys of a run (`SHOP_URL`), or one of this file's own. */
export async function shopForTests(): Promise<Shop> {
  const url = process.env['SHOP_URL']
  if (url === undefined) return startShop({ products: 600, quiet: true })
  const dataDir = process.env['SHOP_DATA_DIR'] ?? ''
  return {
    origin: url,
    host: new URL(url).host,
    dataDir,
    databaseUrl: () => databaseUrlIn(dataDir),
    stop: async () => undefined,
  }
}
