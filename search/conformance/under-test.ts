import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearchEngine } from '../src/index.ts'
import type { SearchEngine, SearchEvent } from '../src/types.ts'
import { createWire, type WireOptions } from '../src/wire/index.ts'
import { fill, keys } from './shop-data.ts'

export interface UnderTest {
  engine: SearchEngine
  /** host:port/path, as taken by the official clients. */
  host: string
  origin: string
  events: SearchEvent[]
  close: () => Promise<void>
}

/** The engine under test; replace it to test another one. */
async function openEngine(): Promise<{ engine: SearchEngine; clear: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'))
  return { engine: await openSearchEngine({ directory }), clear: () => rm(directory, { recursive: true, force: true }) }
}

/** A filled engine behind the API on a free loopback port. `page` handles all other requests. */
export async function startUnderTest(
  page?: (path: string) => { type: string; body: string } | undefined,
  options: Partial<WireOptions> = {},
): Promise<UnderTest> {
  const { engine, clear } = await openEngine()
  await fill(engine)
  const events: SearchEvent[] = []
  const watched: SearchEngine = new Proxy(engine, {
    get(target, name, receiver) {
      if (name !== 'events') {
        const value: unknown = Reflect.get(target, name, receiver)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      }
      return async (list: SearchEvent[]) => {
        events.push(...list)
        await target.events(list)
      }
    },
  })
  const wire = createWire({ engine: watched, keys, basePath: '/search-engine', ...options })
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0]!
    const found = path.startsWith('/search-engine') ? undefined : page?.(path)
    if (found) return void response.writeHead(200, { 'content-type': found.type }).end(found.body)
    void wire(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    engine,
    host: `127.0.0.1:${port}/search-engine`,
    origin: `http://127.0.0.1:${port}`,
    events,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await engine.close()
      await clear()
    },
  }
}
