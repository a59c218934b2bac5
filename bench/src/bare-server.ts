/** The baseline of all ratios: node:http and nothing else. Run as a process of its own: `node bare-server.ts [file]`. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [file, encoding] = process.argv.slice(2)
const body = file === undefined ? Buffer.from('hello') : readFileSync(file)
const headers: Record<string, string | number> = {
  'content-type': file === undefined ? 'text/plain' : 'text/html; charset=utf-8',
  'content-length': body.length,
  ...(encoding && { 'content-encoding': encoding }),
}
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit(0))
