import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SiteSettings } from '@purlin/contract/site-settings.ts'

const rounds = 3
/** The first visitor must not wait for more than this, whatever the pages cost. */
const longestMs = 5000
const paths = ['/', '/cart', '/great-deals']
/** A product and a department, found on the home page. */
const linked = [/href="(\/p\/[^"?#]+)"/, /href="(\/[a-z-]+-\d+)"/]

/**
 * Asks a server that does not listen yet for pages of each kind, several times. Code that has never run is slow: the first requests of a
 * process that has just started took so long that buyers behind them were refused for the expected wait (V-12, F14).
 */
export async function warmUp(server: Server, sites: readonly Pick<SiteSettings, 'host'>[]): Promise<void> {
  const warming = createServer((req, res) => server.emit('request', req, res))
  await new Promise<void>((resolve) => warming.listen(0, '127.0.0.1', resolve))
  const { port } = warming.address() as AddressInfo
  const end = performance.now() + longestMs
  try {
    const host = sites[0]?.host
    const home = host ? await read(port, host, '/') : ''
    const found = linked.map((link) => link.exec(home)?.[1]).filter((path) => path !== undefined)
    for (let round = 0; round < rounds; round++)
      for (const path of [...paths, ...found]) if (host && performance.now() < end) await read(port, host, path)
    for (const site of sites) if (performance.now() < end) await read(port, site.host, '/')
  } finally {
    warming.closeAllConnections()
    warming.close()
  }
}

/** The page, or nothing: a page that fails now fails for visitors too, and is told of then. */
function read(port: number, host: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const call = request({ port, host: '127.0.0.1', path, headers: { host, accept: 'text/html' }, timeout: longestMs }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => (text += chunk))
      answer.on('close', () => resolve(text))
      answer.on('error', () => resolve(''))
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(''))
    call.end()
  })
}
