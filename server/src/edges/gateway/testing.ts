import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import type { Pool } from '#platform'
import { type Gateway, type GatewayOptions, createGateway } from './index.ts'

export interface RequestOptions {
  /** Host of a storefront, such as "pro.de.localhost"; b2c in gb by default. */
  host?: string
  headers?: Record<string, string>
  cookie?: string
}

export interface TestGateway extends Gateway {
  url: string
  /** Posts a document as one of our own pages would: those of the pages by their hash. */
  post(
    query: string,
    variables?: object,
    asked?: RequestOptions,
  ): Promise<{ status: number; body: never; headers: Headers; cookie: string; statements: number }>
}

/** A gateway on a free port, with every module's resolvers or those given; closed when the file ends. */
export async function testGateway(
  pool: Pool,
  parts: Pick<GatewayOptions, 'edges' | 'schema' | 'trustProxy' | 'documents'> = {},
): Promise<TestGateway> {
  const gateway = await createGateway({ pool, hosts: createSiteHosts({ port: 3000 }), ...parts })
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve))
  // A test file ends once nothing is pending: the server must not keep it alive.
  gateway.server.unref().on('connection', (socket) => socket.unref())
  const url = `http://localhost:${(gateway.server.address() as AddressInfo).port}`
  return {
    ...gateway,
    url,
    post: async (query, variables, { headers, cookie, host = 'localhost' } = {}) => {
      const response = await send(`${url}/graphql`, JSON.stringify({ ...sentAs(query), variables }), {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        host,
        ...(cookie ? { cookie } : {}),
        ...headers,
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

const hashes = new Map(Object.entries(knownDocuments).map(([hash, document]) => [document, hash]))

function sentAs(query: string): object {
  const sha256Hash = hashes.get(query)
  return sha256Hash === undefined ? { query } : { extensions: { persistedQuery: { version: 1, sha256Hash } } }
}

/** Like `fetch`, which does not allow choosing the Host header. */
function send(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const given = new Headers()
        for (const [name, values] of Object.entries(answer.headersDistinct)) for (const value of values ?? []) given.append(name, value)
        resolve(new Response(Buffer.concat(parts), { status: answer.statusCode ?? 0, headers: given }))
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}
