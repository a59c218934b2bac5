import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'

const rounds = 3
/** Of pages that no cache holds: what renders them is compiled only after it has run some dozens of times. */
const freshRounds = 12
/** The first visitor must not wait for more than this, whatever the pages cost. */
const longestMs = 2000
/** For one answer. */
const patienceMs = 5000
const paths = ['/', '/cart', '/great-deals']
/** A product and a department, found on the home page. */
const linked = [/href="(\/p\/[^"?#]+)"/, /href="(\/[a-z-]+-\d+)"/]
/** Queries of our own, which are of every size and kind. */
const queries = Object.values(knownDocuments).filter((text) => text.startsWith('query'))

type Sites = readonly Pick<SiteSettings, 'host'>[]

/**
 * Asks a server that does not listen yet for pages of each kind, several times. Code that has never run is slow: the first requests of a
 * process that has just started took so long that buyers behind them were refused for the expected wait (V-12, F14).
 */
export async function warmUp(server: Server, sites: Sites): Promise<void> {
  await withPort(server, async (port, isTime) => {
    const host = sites[0]?.host
    if (!host) return
    const home = await read(port, host, '/')
    const found = linked.map((link) => link.exec(home)?.[1]).filter((path) => path !== undefined)
    for (let round = 0; round < rounds; round++) for (const path of [...paths, ...found]) if (isTime()) await read(port, host, path)
    const lists = ['/search/a', ...found.filter((path) => !path.startsWith('/p/'))]
    for (let round = 0; round < freshRounds; round++)
      for (const path of lists) if (isTime()) await read(port, host, `${path}?max%5Bprice%5D=${1000 + round}`)
    for (const site of sites) if (isTime()) await read(port, site.host, '/')
    // Documents of strangers, which the unused fragment makes invalid: they are read and refused here.
    for (const query of queries) if (isTime()) await post(port, host, { query: `${query} fragment Unused on Query { __typename }` })
  })
}

/**
 * Sends a server of documents that does not listen yet all queries of our own as a stranger would: they are read, validated, priced and,
 * if they need no variables, executed. Cold, it took the processor from the web processes for its first thousands of documents (V-01).
 */
export async function warmUpDocuments(server: Server, sites: Sites, headers: Record<string, string>): Promise<void> {
  await withPort(server, async (port, isTime) => {
    for (let round = 0; round < rounds; round++)
      for (const query of queries) if (sites[0] && isTime()) await post(port, sites[0].host, { query: `${query} #${round}` }, headers)
  })
}

/** Lets the server answer on a port that nobody knows. */
async function withPort(server: Server, work: (port: number, isTime: () => boolean) => Promise<void>): Promise<void> {
  const warming = createServer((req, res) => server.emit('request', req, res))
  await new Promise<void>((resolve) => warming.listen(0, '127.0.0.1', resolve))
  const end = performance.now() + longestMs
  try {
    await work((warming.address() as AddressInfo).port, () => performance.now() < end)
  } finally {
    warming.closeAllConnections()
    warming.close()
  }
}

const read = (port: number, host: string, path: string) => ask(port, path, { headers: { host, accept: 'text/html' } })

function post(port: number, host: string, body: { query: string }, headers: Record<string, string> = {}): Promise<string> {
  const sent = { host, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers }
  return ask(port, '/graphql', { method: 'POST', headers: sent, body: JSON.stringify(body) })
}

/** The answer, or nothing: a page that fails now fails for visitors too, and is told of then. */
function ask(
  port: number,
  path: string,
  { body, ...options }: { method?: string; headers: Record<string, string>; body?: string },
): Promise<string> {
  return new Promise((resolve) => {
    const call = request({ port, host: '127.0.0.1', path, timeout: patienceMs, ...options }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('close', () => resolve(text))
      answer.on('error', () => resolve(''))
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(''))
    call.end(body)
  })
}
