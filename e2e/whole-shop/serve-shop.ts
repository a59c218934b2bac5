import '../../scripts/tsx-hook.mjs'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { testGateway, type TestGateway } from '@purlin/server/edges/gateway/testing.ts'
import type { TestDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine, type TestEngine } from '@purlin/server/goods/listing/test-engine.ts'
import type { TestReply } from '@purlin/web/testing.ts'
import { testStorefront } from '@purlin/storefront/server/testing.ts'
import type { ShopPage } from '@purlin/storefront/shell/context.ts'
import { pageFiles } from '@purlin/storefront/testing/shop.ts'

export type ShopPages = Record<string, ShopPage>

export interface AskOptions {
  method?: string
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is, as JSON unless `headers` name another type. */
  text?: string
  form?: Record<string, string>
  /** Accept-Encoding; pages are uncompressed by default. */
  encoding?: string
  /** Of another market; visitors' sessions are on those of gb. */
  host?: string
  /** Forged ones, besides the visitor's own. */
  headers?: Record<string, string>
  /** What the browser says about the page that a change comes from; one of ours by default. */
  from?: Record<string, string>
  /** Cookies besides the visitor's own. */
  cookies?: string
}

export interface Sent extends AskOptions {
  path: string
  host: string
  cookie: string
}

export interface ServedShop {
  gateway: TestGateway
  engine: TestEngine
  storefront: Awaited<ReturnType<typeof testStorefront>>['storefront']
  send(request: Sent): Promise<TestReply>
  close(): Promise<void>
}

interface Served {
  /** Replaces page files. */
  change?: (pages: ShopPages) => ShopPages
  /** Proxies whose word about the client's address is taken. */
  trustProxy?: string
  variations?: NonNullable<Parameters<typeof testStorefront>[0]>['variations']
}

/** The gateway and all pages over the goods of a database, in one process. */
export async function serveShop(
  { db, pool }: TestDatabase,
  { change = (pages) => pages, trustProxy, variations }: Served = {},
): Promise<ServedShop> {
  const engine = await testEngine()
  connectSearch(engine)
  connectModules()
  await rebuildIndex({ db, engine })
  const gateway = await testGateway(pool, trustProxy === undefined ? {} : { trustProxy })
  const files = await Promise.all(Object.entries(pageFiles).map(async ([file, load]) => [file, await load()] as const))
  const { storefront, server: unused } = await testStorefront({
    pages: change(Object.fromEntries(files) as ShopPages),
    gateway: gateway.execute,
    door: gateway,
    hosts: createSiteHosts({ port: 3000 }),
    sessions: { load: gateway.findPrincipal },
    ...(variations && { variations }),
  })
  await unused.close()
  gateway.mount((req, res) => storefront.tryHandle(req, res))
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const { port } = gateway.server.address() as AddressInfo
  const close = async () => {
    agent.destroy()
    await gateway.close()
  }
  return { gateway, engine, storefront, send: (sent) => send(agent, port, sent), close }
}

const jsonType = 'application/json'
const formType = 'application/x-www-form-urlencoded'

function send(
  agent: Agent,
  port: number,
  { path, host, cookie, form, json, text, encoding, headers: forged, from, ...rest }: Sent,
): Promise<TestReply> {
  const body = text ?? (json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json))
  const { method = body === undefined ? 'GET' : 'POST' } = rest
  const headers = {
    ...forged,
    host,
    ...(encoding && { 'accept-encoding': encoding }),
    ...(cookie && { cookie }),
    ...(body !== undefined && {
      'content-type': forged?.['content-type'] ?? (form ? formType : jsonType),
      'content-length': Buffer.byteLength(body),
    }),
    ...(method !== 'GET' && (from ?? { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })),
  }
  const { promise, resolve, reject } = Promise.withResolvers<TestReply>()
  const call = request({ agent, host: '127.0.0.1', port, path, method, headers, setHost: false }, (answer) => {
    const parts: Buffer[] = []
    answer.on('data', (part: Buffer) => parts.push(part))
    answer.on('error', reject)
    answer.on('end', () => {
      const raw = Buffer.concat(parts)
      const encoding = answer.headers['content-encoding']
      const plain = raw.length === 0 ? raw : encoding === 'br' ? brotliDecompressSync(raw) : encoding === 'gzip' ? gunzipSync(raw) : raw
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: plain.toString() })
    })
  })
  call.on('error', reject)
  call.end(body)
  return promise
}
