import type { AddressInfo } from 'node:net'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import type { Pool } from '#platform'
import type { ExecuteOptions } from './execute.ts'
import { type Gateway, createGateway } from './index.ts'

export interface Asked {
  host?: string
  headers?: Record<string, string>
  cookie?: string
}

export interface TestGateway extends Gateway {
  url: string
  /** Posts a document as a page of our own would. */
  post(
    query: string,
    variables?: object,
    asked?: Asked,
  ): Promise<{ status: number; body: never; headers: Headers; cookie: string; statements: number }>
}

/** A gateway on a free port, with every module's resolvers or those given; gone when the file ends. */
export async function testGateway(pool: Pool, parts: Pick<ExecuteOptions, 'edges' | 'schema'> = {}): Promise<TestGateway> {
  const gateway = await createGateway({ pool, hosts: createSiteHosts({ port: 3000 }), ...parts })
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve))
  // A test file ends when nothing is left to do: the server must not count as something.
  gateway.server.unref().on('connection', (socket) => socket.unref())
  const url = `http://localhost:${(gateway.server.address() as AddressInfo).port}`
  return {
    ...gateway,
    url,
    post: async (query, variables, { headers, cookie } = {}) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          ...(cookie ? { cookie } : {}),
          ...headers,
        },
        body: JSON.stringify({ query, variables }),
      })
      const set = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      return {
        status: response.status,
        body: (await response.json()) as never,
        headers: response.headers,
        cookie: set,
        statements: Number(response.headers.get('x-sql-statements')),
      }
    },
  }
}
